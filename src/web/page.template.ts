/** The page of an entity as HTML, with its comments. Without scripts, and read-only. */
import { renderRichText } from '../rich-text/render-rich-text.js';
import type { RichEditor } from '../rich-text/shown-text.js';
import { inOwnTurn, turnIfDue } from '../turns/slices.js';
import { type CommentView, commentsShown, type EntityView, type FileView } from './entity-view.js';
import { Html, html } from './html.js';
import { type Site as PageSite, page } from './page.js';

/** How rich text without a mark of its own is meant. */
export interface Site extends PageSite {
  editor: RichEditor;
}

export async function entityPage(entity: EntityView, site: Site): Promise<string> {
  const description = await descriptionOf(entity, site);
  const comments = await commentsOf(entity, site);
  return page(
    { title: `${entity.name} · ${spaced(entity.kind)} ${entity.id}` },
    site,
    html`<header>
<p class="kind">${spaced(entity.kind)} <span class="id">${entity.id}</span></p>
<h1 dir="auto">${entity.name}</h1>
</header>
${factsOf(entity, site)}
<section aria-labelledby="description">
<h2 id="description">Description</h2>
${description}
</section>
${filesOf(entity, site)}${comments}
<footer><p>In the API: <a href="${apiAddress(entity, site)}?format=json">JSON</a>, <a href="${apiAddress(entity, site)}?format=xml">XML</a></p></footer>`,
  );
}

const apiAddress = ({ collection, id }: EntityView, { root }: Site): string => `${root}/api/v1/${collection}/${id}`;

// --- the facts -------------------------------------------------------------------------------------------------------

function factsOf(entity: EntityView, { root }: Site): Html {
  const { state, project, owner, tags, started, ended, created, changed } = entity;
  const facts = [
    fact('State', state === undefined ? undefined : html`<span class="state">${state}</span>`),
    fact('Project', project && html`<a href="${root}/entity/${project.id}" dir="auto">${project.name}</a>`),
    fact('Owner', owner === undefined ? undefined : html`<bdi>${owner}</bdi>`),
    fact('Start', moment(started)),
    fact('End', moment(ended)),
    fact('Created', moment(created)),
    fact('Changed', moment(changed)),
    tags.length === 0 ? html`` : html`<div class="wide"><dt>Tags</dt><dd>${tags.map(tagOf)}</dd></div>\n`,
  ];
  return html`<dl class="facts">\n${facts}</dl>`;
}

/** What is not known is not listed. */
const fact = (name: string, value: Html | undefined): Html =>
  value === undefined ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

const tagOf = (name: string): Html => html`<span class="tag" dir="auto">${name}</span> `;

const spaced = (kind: string): string => kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

const spell = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** The text is local time already, with its offset behind it; midnight is how a day without a time is kept. */
function moment(text: string | null): Html | undefined {
  if (text === null) return undefined;
  const local = new Date(`${text.slice(0, 16)}Z`);
  const shown = Number.isNaN(local.getTime()) ? text : spell.format(local).replace(/, 00:00$/, '');
  return html`<time datetime="${text}">${shown}</time>`;
}

// --- files ---------------------------------------------------------------------------------------------------------

function filesOf(entity: EntityView, site: Site): Html {
  const { files, fileCount } = entity;
  if (fileCount === 0) return html``;
  const rest = html`<p>${files.length} of ${fileCount}; <a href="${apiAddress(entity, site)}/Attachments?format=json">the API has all</a>.</p>\n`;
  return html`<section aria-labelledby="files">
<h2 id="files">Files <span class="count">${fileCount}</span></h2>
<ul>
${files.map((file) => fileOf(file, site))}</ul>
${files.length < fileCount ? rest : html``}</section>
`;
}

const fileOf = ({ id, name, bytes }: FileView, { root }: Site): Html =>
  html`<li><a href="${root}/Attachment.aspx?AttachmentID=${id}" dir="auto">${name}</a> ${sizeOf(bytes)}</li>\n`;

const sizeOf = (bytes: number): string => {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toLocaleString('en-GB', { maximumSignificantDigits: 3 })} ${units[power]}`;
};
const units = ['bytes', 'kB', 'MB', 'GB'];

// --- rich text and comments ------------------------------------------------------------------------------------------

// A section: rich text holds none, so nothing in it can close what it stands in.
async function richText(text: string, { editor, root }: Site): Promise<Html> {
  const safe = await inTurnOfItsLength(text, () => renderRichText(text, editor, root));
  return html`<section class="rich" dir="auto">${new Html(safe)}</section>`;
}

/** Longer texts may take so long that no two of them, of whatever pages, are rendered in one turn of the loop. */
async function inTurnOfItsLength<T>({ length }: string, render: () => T): Promise<T> {
  if (length > quickCharacters) return inOwnTurn(render);
  await turnIfDue();
  return render();
}

const quickCharacters = 2000;

const descriptionOf = async ({ description }: EntityView, site: Site): Promise<Html> =>
  description?.trim() ? richText(description, site) : html`<p class="none">No description.</p>`;

async function commentsOf(entity: EntityView, site: Site): Promise<Html> {
  const { comments, total } = entity;
  const here = new Set(comments.map(({ id }) => id));
  const articles: Html[] = [];
  for (const comment of comments) {
    const text = comment.text === undefined ? leftOut(comment, site) : await richText(comment.text, site);
    articles.push(commentOf(comment, here, text));
  }
  return html`<section aria-labelledby="comments">
<h2 id="comments">Comments <span class="count">${total}</span></h2>
${total === 0 ? html`<p class="none">No comments.</p>\n` : articles}${pagerOf(entity)}</section>`;
}

const leftOut = ({ id }: CommentView, { root }: Site): Html =>
  html`<p class="none">Too long to be shown here; <a href="${root}/api/v1/Comments/${id}?format=json">the API has it</a>.</p>`;

const commentOf = (
  { id, author, date, isPrivate, replyTo }: CommentView,
  here: ReadonlySet<number>,
  text: Html,
): Html =>
  html`<article id="comment-${id}">
<header><bdi class="author">${author}</bdi> <a href="#comment-${id}">${moment(date)}</a>${
    replyTo === null ? undefined : replyNote(replyTo, here)
  }${isPrivate ? html` <span class="tag">private</span>` : undefined}</header>
${text}
</article>
`;

/** A link where that comment is on this page. */
const replyNote = (id: number, here: ReadonlySet<number>): Html =>
  here.has(id) ? html` <a href="#comment-${id}">in reply to ${id}</a>` : html` in reply to ${id}`;

function pagerOf({ comments, skipped, total }: EntityView): Html | undefined {
  if (total === comments.length) return undefined;
  const last = skipped + comments.length;
  const parts = [
    comments.length > 0 ? html`${skipped + 1} to ${last} of ${total}.` : html`${total} in all.`,
    skipped > 0 ? pageLink(Math.max(0, Math.min(skipped, total) - commentsShown), 'prev', 'Earlier comments') : html``,
    last < total ? pageLink(last, 'next', 'Later comments') : html``,
  ];
  return html`<nav aria-label="More comments"><p>${parts}</p></nav>\n`;
}

const pageLink = (skip: number, rel: string, words: string): Html =>
  html` <a href="?skip=${skip}#comments" rel="${rel}">${words}</a>`;
