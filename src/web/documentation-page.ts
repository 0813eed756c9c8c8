/** The documentation as pages: a list of the texts, and each of them beside its contents. */
import type { RenderedDocument, Section } from './document.js';
import { type DocumentEntry, documentAddress, documents } from './documents.js';
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

const frame = { path: '/documentation', styles: ['documentation.css'] };

export const documentationPage = (site: Site): string =>
  page(
    { ...frame, title: 'Documentation · Worktrack' },
    site,
    html`<header>
<h1>Documentation</h1>
<p class="lead">It belongs to this very version of the service.</p>
</header>
${documentCards(site, documents)}`,
  );

export const documentCards = ({ root }: Pick<Site, 'root'>, entries: readonly DocumentEntry[]): Html =>
  html`<ul class="cards">
${entries.map(({ name, title, gist }) => html`<li><a href="${documentAddress(root, name)}">${title}</a><p>${gist}</p></li>\n`)}</ul>`;

export const documentPage = (entry: DocumentEntry, { content, sections }: RenderedDocument, site: Site): string =>
  page(
    { ...frame, title: `${entry.title} · Worktrack`, isWide: true },
    site,
    html`<div class="documentation">
<div class="contents">
<nav aria-label="Documents"><ul>
${documents.map((one) => linkTo(one, one === entry, site))}</ul></nav>
<nav aria-label="On this page"><ul>
${sections.map(placeOf)}</ul></nav>
</div>
<div class="rich document">
${content}</div>
</div>`,
  );

const linkTo = ({ name, title }: DocumentEntry, isCurrent: boolean, { root }: Site): Html =>
  html`<li><a href="${documentAddress(root, name)}"${isCurrent ? html` aria-current="page"` : undefined}>${title}</a></li>\n`;

const placeOf = ({ id, words }: Section): Html => html`<li><a href="#${id}">${words}</a></li>\n`;
