/** What the pages with forms add to the style sheet: fields, dialogs, lists that become cards on a phone, the log-in. */
import { fieldStyle } from './field-style.js';

export const formStyle = `${fieldStyle}.actions { margin: .25rem 0 1rem; }
.bar { justify-content: space-between; }
.field > label { font-size: .9rem; font-weight: 600; }
input:not([type=checkbox], [type=radio]), select { width: 100%; min-height: 2.4rem; padding: .35rem .6rem; border: 1px solid var(--edge); border-radius: .35rem; background: var(--ground); }
input[type=checkbox] { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--link); }
input:disabled + label { color: var(--quiet); }
[aria-invalid=true]:not([type=checkbox]) { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.check { grid-template-columns: auto 1fr; column-gap: .55rem; }
.check > label { font-weight: 400; font-size: 1rem; }
.check > :is(.note, .complaint) { grid-column: 2; }
h2 + .note, .head + .note { margin-bottom: .9rem; }
.complaint { margin: 0; color: var(--bad); font-size: .9rem; font-weight: 600; }
html { scroll-padding-block: 5rem 1rem; }
.done:not(:empty) { margin: 1rem 0; padding: .6rem .8rem; border: 1px solid var(--well); border-radius: .35rem; background: var(--ground); }
.message:not(:empty) { position: sticky; top: .5rem; z-index: 2; margin-block: 1rem; box-shadow: 0 4px 14px rgb(0 0 0 / 12%); }
.done:not(:empty)::before { content: "✓ "; content: "✓ " / ""; color: var(--well); font-weight: 700; }
.narrow { max-width: 30rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); gap: 0 .75rem; }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; }
section > .head { margin: 2rem 0 .35rem; }
section > .head h2 { margin: 0; }
a.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.25rem; padding: .25rem .9rem; border: 1px solid var(--edge); border-radius: .35rem; text-decoration: none; }
a.button:any-link { color: var(--text); }
a.button:hover { border-color: var(--link); }
a.button.main { border-color: var(--link); background: var(--link); font-weight: 600; }
a.button.main:any-link { color: var(--on-link); }
button.danger { border-color: var(--bad); color: var(--bad); }
button.danger:hover { background: var(--bad-ground); }
.actions.last > button.danger { background: var(--bad); color: var(--ground); font-weight: 600; }
:is(button, .actions.last > button.danger):disabled { border-color: var(--line); background: var(--raised); color: var(--quiet); }
[aria-busy=true] { cursor: progress; }
.door { max-width: 22rem; margin: clamp(0rem, 6vh, 4rem) auto 0; padding: 1.75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--raised); }
.door h1 { margin-bottom: 1.25rem; }
.door form button, .door a.button { width: 100%; min-height: 2.6rem; }
.door a.button:not(.main) { background: var(--ground); }
.door > p:last-child { margin-bottom: 0; }
.or { display: flex; align-items: center; gap: .75rem; margin: 1rem 0; color: var(--quiet); font-size: .9rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
@media (max-width: 30rem) { .door { padding: 1.25rem; } }
.wide-page main { max-width: 76rem; }
.administration { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem 2.5rem; align-items: start; }
.parts ul { display: flex; flex-wrap: wrap; gap: .15rem .35rem; margin: 0; padding: 0; list-style: none; }
main .parts a { display: block; margin: 0; padding: .35rem .7rem; border-radius: .35rem; text-decoration: none; }
.parts a:hover { background: var(--raised); }
.parts [aria-current] { background: var(--raised); color: var(--text); box-shadow: inset 0 -2px var(--link); font-weight: 600; }
.part-content { min-width: 0; }
@media (min-width: 58rem) {
  .administration { grid-template-columns: 11rem minmax(0, 1fr); }
  .parts { position: sticky; top: 1rem; }
  .parts ul { display: grid; }
  .parts [aria-current] { box-shadow: inset 2px 0 var(--link); }
}
.search { display: flex; flex-wrap: wrap; align-items: end; gap: 0 .75rem; margin-top: 1.25rem; }
.search .grow { flex: 1 1 14rem; }
.search > button { min-height: 2.4rem; margin-bottom: .9rem; }
.pager { display: flex; gap: .35rem; }
#list[aria-busy=true] { opacity: .55; }
.rows { width: 100%; border-collapse: collapse; }
.rows caption { text-align: start; }
.rows th { color: var(--quiet); font-size: .85rem; font-weight: 600; }
.rows :is(th, td) { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: baseline; }
.rows :is(th, td):last-child { padding-inline-end: 0; }
.rows td.end { text-align: end; }
.rows time { white-space: nowrap; }
.rows :is(th, td) { min-width: 4.5rem; }
.badge { display: inline-block; margin: 0 .25rem .15rem 0; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .85rem; white-space: nowrap; }
.badge.bad { border-color: var(--bad); color: var(--bad); }
@media (max-width: 44rem) {
  .rows, .rows tbody { display: block; }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows tr { display: grid; grid-template-columns: minmax(0, 1fr); gap: .1rem; margin-bottom: .75rem; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .5rem; }
  .rows :is(th, td) { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .5rem; padding: .1rem 0; border: 0; }
  .rows td::before { content: attr(data-label); content: attr(data-label) / ""; color: var(--quiet); font-size: .85rem; }
  .rows :is(td.first, td.end) { grid-template-columns: minmax(0, 1fr); }
  .rows :is(td.first, td.end)::before { content: none; }
  .rows td.first { font-weight: 600; }
  .rows td.end { padding-top: .5rem; text-align: start; }
  .rows td > * { justify-self: start; }
  .rows td:empty { display: none; }
}
.acts { display: grid; gap: .75rem; margin: 0; }
.act { display: grid; grid-template-columns: minmax(0, 1fr); gap: .35rem 1rem; align-items: center; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.act p { margin: 0; }
.act > div > p:first-child { font-weight: 600; }
.act button { justify-self: start; }
@media (min-width: 44rem) {
  .act { grid-template-columns: minmax(0, 1fr) auto; }
}
dialog { width: min(32rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 1.5rem; border: 1px solid var(--edge); border-radius: .75rem; background: var(--ground); color: var(--text); box-shadow: 0 12px 40px rgb(0 0 0 / 35%); }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { margin: 0 0 .75rem; font-size: 1.2rem; }
dialog p { margin: 0 0 .9rem; }
dialog .note, dialog .complaint { margin: 0; }
dialog .actions.last { justify-content: flex-end; margin: 1.25rem 0 0; }
#page .facts { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; }
fieldset { min-width: 0; margin: 0 0 .9rem; padding: 0; border: 0; }
legend { padding: 0; font-size: .9rem; font-weight: 600; }
.actions > :is(.secret, .problem) { flex: 0 0 100%; }
.secret div { max-width: 34rem; }
button[aria-pressed=true] { border-color: var(--link); box-shadow: inset 0 -2px var(--link); }
.secret { display: grid; gap: .35rem; margin: 0 0 .9rem; }
.secret label { font-size: .9rem; font-weight: 600; }
.secret div { display: flex; gap: .5rem; }
.secret input { min-width: 0; flex: 1; }
.secret input, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9rem; }
.secret button { flex: none; min-height: 2.4rem; }
.warning { padding: .6rem .8rem; border-radius: .35rem; background: var(--mark); }
@media print { .parts, .search, .pager, .actions { display: none; } }
`;
