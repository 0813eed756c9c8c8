/** The part of the style sheet that the query page and the pages with forms share. */
export const fieldStyle = `.field { display: grid; gap: .2rem; margin: 0 0 .9rem; }
::placeholder { color: var(--quiet); opacity: 1; }
.note { margin: 0; color: var(--quiet); font-size: .875rem; font-weight: 400; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
.problem:not(:empty) { margin-block: 0 1rem; padding: .6rem .8rem; border: 1px solid var(--bad); border-radius: .35rem; background: var(--bad-ground); white-space: pre-line; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-bottom: .75rem; }
.bar p { margin: 0; color: var(--quiet); font-size: .9rem; font-variant-numeric: tabular-nums; }
`;
