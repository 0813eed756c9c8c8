/** What the documentation adds to the style sheet: its contents beside it where there is room, above it where there is none. */
export const documentationStyle = `.cards { margin-top: 1.25rem; }
.wide-page main { max-width: 74rem; }
.documentation { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem 2.5rem; align-items: start; }
.contents ul { display: flex; flex-wrap: wrap; gap: .15rem .25rem; margin: 0; padding: 0; list-style: none; font-size: .9rem; }
.contents nav + nav { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
main .contents a { display: block; margin: 0; padding: .25rem .6rem; border-radius: .35rem; text-decoration: none; }
.contents a:hover { background: var(--raised); text-decoration: underline; }
.contents [aria-current] { background: var(--raised); color: var(--text); box-shadow: inset 0 -2px var(--link); font-weight: 600; }
.document { overflow: visible; }
.document h1 { margin: 0 0 .75rem; font-size: clamp(1.4rem, 1.1rem + 1.6vw, 1.9rem); line-height: 1.25; }
.document h2 { margin-top: 2.25rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
.document h3 { margin-top: 1.75rem; font-size: 1.1rem; }
.document :is(h1, h2, h3) { scroll-margin-top: 1rem; }
.document .scrolled { margin: .75rem 0; overflow-x: auto; }
.document .scrolled table { margin: 0; min-width: min(100%, 34rem); font-size: .95rem; }
.document td > code:only-child { white-space: nowrap; }
.document .end { text-align: end; font-variant-numeric: tabular-nums; }
.document pre { border: 1px solid var(--line); }
.document pre.broken { overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (min-width: 62rem) {
  .documentation { grid-template-columns: 12rem minmax(0, 1fr); }
  .contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
  .contents ul { display: grid; }
  .contents [aria-current] { box-shadow: inset 2px 0 var(--link); }
}
@media print {
  .contents { display: none; }
  .document .scrolled, .document pre { overflow: visible; }
  .document pre { white-space: pre-wrap; }
}
`;
