/** The style sheet of all pages: one column, readable on a phone, in the dark and on paper. */
import { richTextStyle } from './rich-text-style.js';

export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f7f9; --line: #d5dbe1; --edge: #7b8794; --text: #1c2127; --quiet: #56606b;
  --link: #0a58a8; --on-link: #ffffff; --mark: #fff4c2; --well: #1a6b34; --bad: #a8231a; --bad-ground: #fdf1f0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --raised: #1b2128; --line: #343d47; --edge: #7b8794; --text: #e3e8ed; --quiet: #9ba7b3;
    --link: #7ab7f5; --on-link: #0b1a2a; --mark: #5c4e12; --well: #7fd197; --bad: #ff9b91; --bad-ground: #2d1a1a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
a:any-link { color: var(--link); text-underline-offset: .15em; }
:is(a, button, input, select, textarea, summary, [tabindex]):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1 { margin: 0; font-size: clamp(1.4rem, 1.1rem + 1.6vw, 1.9rem); line-height: 1.25; }
h2 { margin: 2rem 0 .75rem; font-size: 1.1rem; }
.kind { margin: 0 0 .25rem; color: var(--quiet); font-size: .9rem; }
.id, .count { font-variant-numeric: tabular-nums; }
.count { margin-left: .25rem; color: var(--quiet); font-weight: 400; }
.none, footer { color: var(--quiet); }
main > footer { margin-top: 2.5rem; padding-top: .25rem; border-top: 1px solid var(--line); font-size: .9rem; }
main:focus { outline: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.skip { position: absolute; left: .5rem; top: -4rem; z-index: 3; padding: .4rem .8rem; background: var(--ground); border: 1px solid var(--link); border-radius: .35rem; }
.skip:focus { top: .5rem; }
header.site { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .6rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--raised); }
header.site a { display: inline-block; padding: .25rem 0; text-decoration: none; }
header.site a:hover { text-decoration: underline; }
a.home:any-link { color: var(--text); font-weight: 700; }
header.site ul { display: flex; flex-wrap: wrap; gap: 0 1.1rem; margin: 0; padding: 0; list-style: none; }
header.site [aria-current] { color: var(--text); box-shadow: inset 0 -2px var(--link); }
.caller { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; margin-inline-start: auto; font-size: .9rem; }
footer.site { padding: 0 1.25rem; text-align: center; font-size: .85rem; }
.lead { margin: .5rem 0 0; color: var(--quiet); }
button, input, select, textarea { font: inherit; color: inherit; }
button { min-height: 2.25rem; padding: .25rem .9rem; border: 1px solid var(--edge); border-radius: .35rem; background: var(--ground); cursor: pointer; }
button:hover { border-color: var(--link); }
button:disabled { color: var(--quiet); border-color: var(--line); cursor: default; }
button.main { border-color: var(--link); background: var(--link); color: var(--on-link); font-weight: 600; }
button.small, .caller button { min-height: 1.9rem; padding: .1rem .65rem; font-size: .9rem; }
pre.command { margin: .75rem 0; padding: .7rem .9rem; white-space: pre-wrap; border: 1px solid var(--line); border-radius: .35rem; background: var(--raised); }
code, pre, kbd, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: 1em; }
kbd { padding: .05em .35em; border: 1px solid var(--line); border-radius: .25rem; background: var(--raised); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.cards li { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.cards a { font-weight: 600; }
.cards p { margin: .25rem 0 0; font-size: .9rem; color: var(--quiet); }
.well { color: var(--well); font-weight: 600; }
.unwell { color: var(--bad); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 9rem), 1fr)); gap: .75rem 1.25rem; margin: 1.25rem 0 0; padding: 1rem 1.1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--quiet); font-size: .85rem; }
dd { margin: 0; }
.facts .wide { grid-column: 1 / -1; }
.state { font-weight: 600; }
.tag { display: inline-block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--ground); font-size: .85rem; }
article { margin: 0 0 .75rem; padding: .75rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; scroll-margin-top: 1rem; }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
article > header { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; margin-bottom: .35rem; font-size: .9rem; }
article > header a:any-link { color: var(--quiet); }
.author { font-weight: 600; }
${richTextStyle}main nav a { margin-left: .5rem; }
@media (prefers-reduced-motion: no-preference) {
  button { transition: border-color .12s; }
}
@media print {
  main { max-width: none; padding: 0; }
  article { break-inside: avoid; }
  nav, footer, header.site, .skip { display: none; }
}
`;
