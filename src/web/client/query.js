/** The query page: every part of the form changes one query, and every change of the query is shown by every part. */
import { draft, onReturn, ran, requestedQuery } from './address-bar.js';
import { answerPanel } from './answer-panel.js';
import { appendEditor } from './append-editor.js';
import { collectionField } from './collection-field.js';
import { copyButton } from './copy-button.js';
import { byId } from './dom.js';
import { onExample } from './examples.js';
import { gists } from './gists.js';
import { includeEditor } from './include-editor.js';
import { schemaOf } from './known-fields.js';
import { Metadata } from './metadata.js';
import { orderEditor } from './order-editor.js';
import { pressEnded } from './press.js';
import { isDescribed, isElsewhere, parseQuery, spellQuery } from './query-text.js';
import { serviceAt } from './service.js';
import { curlLine, inAscii } from './shell-quote.js';
import { whereEditor } from './where-editor.js';

/**
 * @typedef {import('./query-text.js').Query} Query
 * @typedef {import('./query-text.js').Parameter} Parameter
 * @typedef {import('./answer-view.js').View} View
 */

const page = byId('query', HTMLElement);
const { root = '', base = '', login = 'login' } = page.dataset;
/** @type {{ choices: Record<string, string[]>, generals: string[], richTexts: string[] }} */
const { choices, generals, richTexts } = JSON.parse(page.dataset.model ?? '{}');

const requested = requestedQuery();
const { ask, read, conditions } = serviceAt(root);
const metadata = new Metadata(read);

/** @type {Query} */
let query = queryOf(requested);
/** @type {import('./metadata.js').Resource | undefined} */
let resource;
/** What the query was put together for: the last resource that was known. @type {typeof resource} */
let subject;
/** What was asked of others. @type {Map<import('./metadata.js').Resource, Query>} */
const earlier = new Map();
/** @type {import('./complete.js').Schema | undefined} */
let schema;
/** How JSON is shown. @type {View} */
let jsonView = 'table';

const fields = {
  collection: byId('collection', HTMLInputElement),
  take: byId('take', HTMLInputElement),
  skip: byId('skip', HTMLInputElement),
  format: byId('format', HTMLSelectElement),
  address: byId('address', HTMLTextAreaElement),
  caller: byId('caller', HTMLSelectElement),
};

const include = includeEditor(byId('include', HTMLElement), metadata, (text) => set({ include: text }));
const where = whereEditor(
  byId('where', HTMLElement),
  () => schema,
  (text) => set({ where: text }),
  conditions,
);
const append = appendEditor(
  byId('append', HTMLElement),
  () => schema,
  (text) => set({ append: text }),
);
const panel = answerPanel({
  site: { root, generals: new Set(generals), isRich: (name) => richTexts.includes(name) },
  ask,
  follow: (link) => {
    load(parseQuery(link));
    void run();
  },
  choose: showAs,
});

/** Nothing said yet begins with what this page shows best. @param {string} text @returns {Query} */
function queryOf(text) {
  return text === '' ? { path: '', values: { format: 'json', take: '25' }, others: [] } : parseQuery(text);
}

// --- from the form to the query --------------------------------------------------------------------------------------

/** Another question begins at its first page. @param {Partial<Record<Parameter, string>>} values */
function set(values) {
  const begins = 'where' in values || 'orderBy' in values ? { skip: '' } : {};
  query = { ...query, values: { ...query.values, ...begins, ...values } };
  if ('skip' in begins) fields.skip.value = '';
  tell();
}

/** The whole address; one that is not asked here stays as it is. */
function addressNow() {
  if (query.path === '') return '';
  return isElsewhere(query.path) ? spellQuery(query) : `${base}/api/v1/${spellQuery(query)}`;
}

/** Shows the query where it stands as a whole. */
function tell() {
  const address = addressNow();
  if (document.activeElement !== fields.address) fields.address.value = address;
  const caller = fields.caller.value === 'token' ? { token: '$TOKEN' } : { login };
  byId('curl', HTMLElement).textContent = address === '' || isElsewhere(query.path) ? '' : curlLine(address, caller);
  keep();
  for (const [part, words] of Object.entries(gists(query.values)))
    byId(`${part}-gist`, HTMLElement).textContent = words;
}

/** In the page's own address. */
const keep = () => draft(query.path === '' ? '' : spellQuery(query));

collectionField(fields.collection, metadata, (path) => void choose(path));

/**
 * What was asked of another collection makes no sense of this one; it is kept until that is chosen again, since names
 * begin with other names. A name that is not known may become the one it was. @param {string} path
 */
async function choose(path) {
  if (path === query.path) return;
  const target = await metadata.resourceAt(path).catch(() => undefined);
  if (path !== fields.collection.value.trim() || path === query.path) return;
  if (target && subject && target !== subject) {
    earlier.set(subject, query);
    const { format = 'json', take = '25' } = query.values;
    const { values, others } = earlier.get(target) ?? { values: {}, others: [] };
    query = { path, values: { ...values, format, take }, others };
  } else query = { ...query, path };
  await draw();
  tell();
}

const order = orderEditor(() => schema, set);

fields.take.addEventListener('input', () => set({ take: fields.take.value }));
fields.skip.addEventListener('input', () => set({ skip: fields.skip.value }));
fields.format.addEventListener('change', () => showAs(fields.format.value === 'xml' ? 'xml' : jsonView));
fields.caller.addEventListener('change', tell);
// The press that leaves the field may be that of a button, which what is shown anew would move.
fields.address.addEventListener('change', () => {
  if (readAddress()) void pressEnded().then(show);
});

/** Whether it says something else than the query did. */
function readAddress() {
  const parsed = parseQuery(fields.address.value);
  if (spellQuery(parsed) === spellQuery(query)) return false;
  goTo(parsed);
  return true;
}

// --- from the query to the form --------------------------------------------------------------------------------------

/** @param {Query} to */
function load(to) {
  goTo(to);
  show();
}

/** @param {Query} to */
function goTo(to) {
  query = to;
  subject = undefined;
  keep();
}

function show() {
  void draw();
  tell();
}

const onlyVersion1 = 'This page asks version 1 of this service; open addresses of version 2 in the browser itself.';

/** Only what says something else than the query is drawn anew, so that nobody's place in the form is lost. */
async function draw() {
  const { path, values } = query;
  const before = resource;
  const target = path === '' ? undefined : await metadata.resourceAt(path).catch(() => undefined);
  if (query.path !== path) return;
  resource = target;
  subject = resource ?? subject;
  schema = resource && schemaOf(metadata, resource, choices);
  const isOther = resource !== before;
  byId('collection-note', HTMLElement).textContent =
    path === '' || resource || isElsewhere(path) || !isDescribed(path)
      ? ''
      : 'There is no such collection, or its description cannot be read.';
  setText(fields.collection, path);
  order.show(values);
  setText(fields.take, values.take ?? '');
  setText(fields.skip, values.skip ?? '');
  fields.format.value = isXml() ? 'xml' : 'json';
  if (isOther || !include.says(values.include ?? '')) include.show(resource, values.include ?? '');
  if (isOther || !append.says(values.append ?? '')) append.show(values.append ?? '');
  if (isOther || !where.says(values.where ?? '')) await where.show(values.where ?? '');
  byId('where', HTMLElement).hidden = !resource;
}

/** @param {HTMLInputElement} field @param {string} value */
function setText(field, value) {
  if (field.value !== value) field.value = value;
}

/** XML is what the service answers unless it is told otherwise. */
const isXml = () => query.values.format?.toLowerCase() !== 'json';

// --- running it ------------------------------------------------------------------------------------------------------

async function run() {
  // What was just typed is meant, even if its description has not come yet.
  if (document.activeElement === fields.address && readAddress()) show();
  if (document.activeElement === fields.collection) await choose(fields.collection.value.trim());
  await runQuery();
}

/** The query as it is, whatever stands in the fields: they may not show it yet. */
async function runQuery() {
  if (query.path === '') {
    fields.collection.focus();
    return;
  }
  const text = spellQuery(query);
  ran(text);
  panel.select(isXml() ? 'xml' : jsonView);
  byId('examples', HTMLElement).hidden = true;
  byId('result', HTMLElement).hidden = false;
  if (isElsewhere(query.path)) panel.refuse(onlyVersion1);
  else await panel.run(text, query);
}

/** A view that the answer at hand has no text for needs another answer. @param {View} view */
function showAs(view) {
  const format = view === 'xml' ? 'xml' : 'json';
  if (view !== 'xml') jsonView = view;
  const isOther = format !== (isXml() ? 'xml' : 'json');
  if (isOther) {
    fields.format.value = format;
    set({ format });
  }
  if (byId('result', HTMLElement).hidden) return;
  if (isOther) void run();
  else panel.select(view);
}

byId('builder', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void run();
});
byId('run', HTMLButtonElement).addEventListener('click', () => void run());
page.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void run();
  }
});
fields.address.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  void run();
});

copyButton(
  'copy-address',
  () => inAscii(addressNow()),
  () => fields.address.select(),
);
copyButton(
  'copy-curl',
  () => byId('curl', HTMLElement).textContent ?? '',
  () => getSelection()?.selectAllChildren(byId('curl', HTMLElement)),
);

onExample((text) => {
  load(parseQuery(text));
  void run();
  fields.address.scrollIntoView({ block: 'nearest' });
});

onReturn((text, isRun) => {
  load(queryOf(text));
  // Also where somebody stands in it: what was typed there is what one has gone back from.
  fields.address.value = addressNow();
  if (isRun) void runQuery();
  byId('examples', HTMLElement).hidden = text !== '';
  if (text === '') byId('result', HTMLElement).hidden = true;
});

include.show(undefined, '');
append.show('');
await draw();
tell();
// A query that was shared is only read, so it is run at once.
if (requested !== '') await run();
page.dataset.ready = 'true';
