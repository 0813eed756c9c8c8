/** The style sheet of the pages that show the API. */
export const apiDocsStyle = `.api table { width: 100%; border-collapse: collapse; font-size: .9rem; }
.api :is(th, td) { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.api .operation { border-bottom: 1px solid var(--line); }
.api .operation summary { padding: .45rem 0; cursor: pointer; }
.api .method { display: inline-block; min-width: 4.2rem; font-weight: 700; font-size: .8rem; }
.api .gist { color: var(--quiet); font-size: .9rem; }
.api .operation p { margin: .35rem 0; font-size: .9rem; }
.api form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: .5rem .9rem; margin: .75rem 0; }
.api form label { display: grid; font-size: .85rem; }
.api form button { align-self: end; }
.api .answer { margin: 0 0 1rem; }
.api .answer pre { max-height: 30rem; overflow: auto; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .35rem; background: var(--raised); white-space: pre-wrap; }
`;
