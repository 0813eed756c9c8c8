/** What the query page adds to the style sheet: the builder beside the answer where there is room, above it where there is none. */
import { fieldStyle } from './field-style.js';

export const queryStyle = `${fieldStyle}.wide-page main { max-width: none; padding-top: 1rem; }
.query { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; margin-top: 1rem; align-items: start; }
@media (min-width: 62rem) {
  .query { grid-template-columns: 24rem minmax(0, 1fr); }
  .builder { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; padding: .25rem .75rem .25rem .25rem; }
}
.field { margin-bottom: .75rem; }
.field label, .actions label { font-size: .85rem; color: var(--quiet); }
.field label { font-weight: 600; }
input:not([type=checkbox]), select, textarea { width: 100%; min-height: 2.25rem; padding: .3rem .55rem; border: 1px solid var(--edge); border-radius: .35rem; background: var(--ground); }
.actions select { width: auto; }
#address { field-sizing: content; min-height: 3.6rem; max-height: 14rem; }
textarea { resize: vertical; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: 1fr 9rem; gap: .75rem; }
.triple { display: grid; grid-template-columns: repeat(3, 1fr); gap: .75rem; }
.joined { display: flex; gap: .5rem; align-items: center; }
.joined .combobox { flex: 1; }
.part { margin: 0 0 .75rem; border: 1px solid var(--line); border-radius: .4rem; }
.asked { padding-top: .25rem; min-width: 0; }
.part > summary { padding: .45rem .75rem; cursor: pointer; border-radius: .4rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.part > :not(summary) { margin-inline: .75rem; }
.part > :last-child { margin-bottom: .75rem; }
.part-name { font-weight: 600; }
.gist { margin-inline-start: .4rem; color: var(--quiet); font-size: .85rem; }
.combobox { position: relative; display: block; min-width: 0; }
.options { position: absolute; z-index: 2; inset-inline: 0; top: calc(100% + 2px); max-height: 17rem; min-width: 15rem; margin: 0; padding: .25rem; overflow-y: auto; list-style: none; background: var(--ground); border: 1px solid var(--edge); border-radius: .35rem; box-shadow: 0 6px 20px rgb(0 0 0 / 22%); }
.options li { display: flex; justify-content: space-between; gap: 1rem; padding: .3rem .5rem; border-radius: .25rem; cursor: pointer; }
.options li span:first-child { flex: none; max-width: 100%; }
.options li .note { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.options li:hover { background: var(--raised); }
.options [aria-selected=true], .options [aria-selected=true]:hover { background: var(--link); color: var(--on-link); }
.options [aria-selected=true] .note { color: inherit; }
.group { margin: .75rem 0 .15rem; color: var(--quiet); font-size: .85rem; font-weight: 600; }
.fields { margin: 0; padding: 0; list-style: none; }
.fields li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; }
.fields label { padding: .15rem 0; }
.opened { display: contents; }
.opened > div { flex-basis: 100%; margin-inline-start: .45rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.opener { min-height: 1.6rem; padding: 0 .5rem; border-color: transparent; background: none; color: var(--link); font-size: .85rem; }
.opener::before { content: "▸ "; content: "▸ " / ""; }
.opener[aria-expanded=true]::before { content: "▾ "; content: "▾ " / ""; }
input[type=checkbox] { width: 1.05rem; height: 1.05rem; margin: 0 .15rem 0 0; vertical-align: -.15em; accent-color: var(--link); }
.conditions { margin: 0; padding: 0; list-style: none; }
.condition { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 2.25rem; gap: .35rem; margin-bottom: .6rem; padding-bottom: .6rem; border-bottom: 1px solid var(--line); }
.condition > .combobox { grid-column: 1 / -1; }
.condition > .value { grid-column: 2; }
.condition > .value .options { inset-inline: auto 0; }
.icon { min-height: 2.25rem; min-width: 2.25rem; padding: 0; font-size: 1.1rem; line-height: 1; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin: 0 0 .5rem; padding: 0; list-style: none; }
.chips li { padding-inline-start: .6rem; border: 1px solid var(--line); border-radius: 1.2rem; font-size: .9rem; }
.chips .icon { min-height: 1.75rem; min-width: 1.75rem; border: 0; background: none; }
.marked { display: block; margin-top: .4rem; white-space: pre-wrap; }
mark { background: var(--mark); color: inherit; outline: 1px solid var(--bad); }
.request { margin-bottom: 1rem; }
.examples ul { margin: 0; padding-inline-start: 1.2rem; }
.examples li { margin: .35rem 0; }
.examples h2 { margin-top: 1rem; }
.bar p { flex: 1 1 12rem; }
.tabs, .pager { display: flex; gap: .35rem; }
[role=tab][aria-selected=true] { border-color: var(--link); box-shadow: inset 0 -2px var(--link); font-weight: 600; }
[aria-busy=true] { opacity: .55; }
.table { max-height: 75vh; overflow: auto; border: 1px solid var(--line); border-radius: .35rem; overflow-wrap: normal; }
.table table { border-collapse: separate; border-spacing: 0; min-width: 100%; font-size: .9rem; }
.table th { position: sticky; top: 0; z-index: 1; background: var(--raised); white-space: nowrap; }
.table :is(th, td) { padding: .35rem .65rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.table tbody tr:last-child td { border-bottom: 0; }
.is-number, .is-moment, .is-id { font-variant-numeric: tabular-nums; white-space: nowrap; }
.table td.is-number { text-align: end; }
.is-text, .is-entity, .is-list, .is-fields { min-width: 8rem; max-width: 24rem; }
.clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
.table .count { margin: 0; padding: 0 .4rem; border: 1px solid var(--line); border-radius: .8rem; }
.line { display: block; }
.rest { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; color: var(--quiet); font-size: .9rem; }
.answer-text { max-height: 75vh; margin: 0; padding: .7rem .9rem; overflow: auto; border: 1px solid var(--line); border-radius: .35rem; background: var(--raised); white-space: pre-wrap; }
.answer-text .is-key { color: #0b5394; }
.answer-text .is-string { color: #7a3e00; }
.answer-text .is-number { color: #1a6b34; }
.answer-text .is-word { color: #7b2d8b; }
.answer-text .is-name { color: #7b2d8b; }
.answer-text .is-mark { color: var(--quiet); }
@media (prefers-color-scheme: dark) {
  .answer-text .is-key { color: #8cc4ff; }
  .answer-text .is-string { color: #f0b27a; }
  .answer-text .is-number { color: #8fd6a3; }
  .answer-text :is(.is-word, .is-name) { color: #dcaaf0; }
}
@media print {
  .query { display: block; }
  .builder, .examples, .tabs, .pager, .request .actions, .rest, .lead { display: none; }
  .table, .answer-text { max-height: none; overflow: visible; }
}
`;
