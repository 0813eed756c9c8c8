/** The part of the style sheet that dresses rich text, which brings its own headings, lists and tables. */
export const richTextStyle = `.rich { overflow-x: auto; }
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
`;
