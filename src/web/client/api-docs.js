/** The page of a part of the API: an operation that is opened gets a form, whose answer is shown below it. */
import { root } from './calls.js';
import { element } from './dom.js';
import { jsonLines } from './pretty.js';
import { loginFrom, request } from './request.js';

/** @typedef {{ name: string, in: string, required: boolean, type?: string, choices?: string[] }} Field */

for (const details of document.querySelectorAll('details[data-path]')) {
  details.addEventListener('toggle', () => addForm(/** @type {HTMLDetailsElement} */ (details)), { once: true });
}
// What the address names is opened.
const named = location.hash && document.getElementById(location.hash.slice(1));
if (named instanceof HTMLDetailsElement) named.open = true;

/** @param {HTMLDetailsElement} details */
function addForm(details) {
  /** @type {Field[]} */
  const fields = JSON.parse(details.dataset.tried ?? '[]');
  const form = element('form', {}, ...fields.map(fieldElement), element('button', { type: 'submit' }, 'Try it'));
  const answer = element('div', { class: 'answer', role: 'status' });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(addressOf(details.dataset.path ?? '', fields, new FormData(form)), answer);
  });
  details.append(form, answer);
}

/** @param {Field} field */
function fieldElement({ name, required, choices }) {
  const attributes = { name, ...(required && { required: '' }) };
  const input = choices
    ? element('select', attributes, ...['', ...choices].map((choice) => element('option', { value: choice }, choice)))
    : element('input', { ...attributes, autocomplete: 'off', spellcheck: 'false' });
  return element('label', {}, name, input);
}

/** @param {string} path @param {Field[]} fields @param {FormData} values */
function addressOf(path, fields, values) {
  const parts = fields
    .filter((field) => field.in === 'query' && values.get(field.name))
    .map(({ name }) => `${name}=${encodeURIComponent(String(values.get(name)))}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
  return root + filled + (parts.length > 0 ? `?${parts.join('&')}` : '');
}

/** @param {string} address @param {HTMLElement} place */
async function show(address, place) {
  place.replaceChildren(element('p', {}, 'Asking …'));
  const answer = await request(address, { headers: { Accept: 'application/json' } }).catch(() => undefined);
  const text = answer
    ? await answer.text().catch(() => 'The answer did not come whole.')
    : 'The service cannot be reached. Try again in a moment.';
  const isJson = answer?.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const login = answer?.status === 401 ? [' ', element('a', { href: loginFrom(root) }, 'Log in')] : [];
  place.replaceChildren(
    element('p', {}, element('code', {}, `GET ${address}`), ` ${answer?.status ?? ''}`, ...login),
    element('pre', { tabindex: '0', 'aria-label': 'Answer' }, isJson ? indented(text) : text),
  );
}

/** @param {string} text */
const indented = (text) =>
  jsonLines(text)
    .map((line) => line.map(([, piece]) => piece).join(''))
    .join('\n');
