/** The style sheet of the pages: one column, readable on a phone, in the dark and on paper. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f7f9; --line: #d5dbe1; --text: #1c2127; --quiet: #56606b; --link: #0a58a8; --mark: #fff4c2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --raised: #1b2128; --line: #343d47; --text: #e3e8ed; --quiet: #9ba7b3; --link: #7ab7f5; --mark: #4a4013;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
a:any-link { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, .rich:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1 { margin: 0; font-size: clamp(1.4rem, 1.1rem + 1.6vw, 1.9rem); line-height: 1.25; }
h2 { margin: 2rem 0 .75rem; font-size: 1.1rem; }
.kind { margin: 0 0 .25rem; color: var(--quiet); font-size: .9rem; }
.id, .count { font-variant-numeric: tabular-nums; }
.count { margin-left: .25rem; color: var(--quiet); font-weight: 400; }
.none, footer { color: var(--quiet); }
footer { margin-top: 2.5rem; padding-top: .25rem; border-top: 1px solid var(--line); font-size: .9rem; }
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
.rich { overflow-x: auto; }
.rich > :first-child { margin-top: 0; }
.rich > :last-child { margin-bottom: 0; }
.rich h1, .rich h2, .rich h3, .rich h4, .rich h5, .rich h6 { margin: 1.25rem 0 .5rem; font-size: 1.05rem; line-height: 1.3; }
.rich h1 { font-size: 1.3rem; }
.rich h2 { font-size: 1.15rem; }
.rich p, .rich ul, .rich ol, .rich dl, .rich blockquote, .rich pre, .rich table, .rich figure { margin: .6rem 0; }
.rich ul, .rich ol { padding-inline-start: 1.5rem; }
.rich li > ul, .rich li > ol { margin: 0; }
.rich :is(blockquote, li, dd, td, th) > :first-child { margin-top: 0; }
.rich :is(blockquote, li, dd, td, th) > :last-child { margin-bottom: 0; }
.rich dd { margin-inline-start: 1.5rem; }
.rich img { max-width: 100%; height: auto; }
.rich blockquote { padding-inline-start: .9rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
.rich pre { padding: .7rem .9rem; overflow-x: auto; overflow-wrap: normal; background: var(--raised); border-radius: .35rem; font-size: .9rem; }
.rich code, .rich kbd, .rich samp, .rich tt { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
.rich pre code { font-size: 1em; }
.rich :not(pre) > code { padding: .1em .3em; background: var(--raised); border-radius: .25rem; }
.rich table { border-collapse: collapse; overflow-wrap: normal; }
.rich th, .rich td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.rich th { background: var(--raised); }
.rich mark { background: var(--mark); color: inherit; }
.rich hr { border: 0; border-top: 1px solid var(--line); }
nav a { margin-left: .5rem; }
@media print {
  main { max-width: none; padding: 0; }
  article { break-inside: avoid; }
  nav, footer { display: none; }
}
`;
