/** The part of the page that runs a query and shows what came back: status, pages, and the answer in three views. */
import { linksIn, messageIn } from './answer-text.js';
import { answerView } from './answer-view.js';
import { markedAt, placeOf } from './complaint.js';
import { byId, element } from './dom.js';
import { loginFrom } from './request.js';

/**
 * @typedef {import('./service.js').Answer} Answer
 * @typedef {import('./answer-view.js').View} View
 * @typedef {import('./query-text.js').Query} Query
 * @typedef {{
 *   site: import('./answer-view.js').Site,
 *   ask(query: string, signal: AbortSignal): Promise<Answer>,
 *   follow(link: string): void,
 *   choose(view: View): void,
 * }} Surroundings
 */

/** @type {readonly View[]} */
const views = ['table', 'json', 'xml'];

/** The part of the builder that a parameter is made in. @type {Record<string, string>} */
const partOf = {
  where: 'where',
  include: 'include',
  exclude: 'include',
  append: 'append',
  orderby: 'order',
  orderbydesc: 'order',
  take: 'page',
  skip: 'page',
  innertake: 'page',
};

/** @param {Surroundings} surroundings */
export function answerPanel({ site, ask, follow, choose }) {
  const status = byId('status', HTMLElement);
  const problem = byId('problem', HTMLElement);
  const place = byId('answer', HTMLElement);
  const [previous, next] = [byId('previous', HTMLButtonElement), byId('next', HTMLButtonElement)];
  const tabs = views.map((view) => byId(`tab-${view}`, HTMLButtonElement));
  /** @type {Answer | undefined} */
  let shown;
  /** @type {View} */
  let view = 'table';
  let running = new AbortController();
  /** @type {{ next?: string, previous?: string }} */
  let links = {};

  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(/** @type {View} */ (views[at])));
    tab.addEventListener('keydown', ({ key }) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[key];
      if (to === undefined) return;
      const other = /** @type {HTMLButtonElement} */ (tabs.at(to % views.length));
      other.focus();
      other.click();
    });
  }
  previous.addEventListener('click', () => links.previous && follow(links.previous));
  next.addEventListener('click', () => links.next && follow(links.next));

  /** @param {View} to */
  function select(to) {
    view = to;
    for (const [at, tab] of tabs.entries()) {
      const isSelected = views[at] === to;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      if (isSelected) place.setAttribute('aria-labelledby', tab.id);
    }
    draw();
  }

  function draw() {
    if (shown?.status !== 200) return;
    const isFitting = shown.isJson ? view !== 'xml' : view === 'xml';
    // The other format is on its way.
    if (isFitting) place.replaceChildren(answerView(shown.text, view, site));
  }

  /** @param {string} text @param {Query} query */
  async function run(text, query) {
    running.abort();
    const mine = new AbortController();
    running = mine;
    clearProblems();
    status.textContent = 'Asking …';
    place.setAttribute('aria-busy', 'true');
    const answer = await ask(text, mine.signal).catch(() => undefined);
    if (mine.signal.aborted) return;
    place.removeAttribute('aria-busy');
    if (!answer) return fail('The service cannot be reached, or its answer did not come whole.', 'No answer.');
    try {
      show(answer, query);
    } catch (error) {
      fail('This page cannot show the answer.', `Status ${answer.status}.`);
      throw error;
    }
  }

  /** @param {Answer} answer @param {Query} query */
  function show(answer, query) {
    shown = answer;
    links = answer.status === 200 ? linksIn(answer) : {};
    previous.disabled = !links.previous;
    next.disabled = !links.next;
    const facts = `${Math.round(answer.milliseconds)} ms, ${sizeOf(answer.bytes)}`;
    if (answer.status === 200) {
      status.textContent = `${countIn(answer)}200 OK, ${facts}.`;
      draw();
      return;
    }
    fail(
      messageIn(answer.text) || `The service answered with status ${answer.status}.`,
      `Status ${answer.status}, ${facts}.`,
    );
    if (answer.status === 401) problem.append(' ', element('a', { href: loginFrom(site.root) }, 'Log in'));
    else point(messageIn(answer.text), query);
  }

  /** Says why it is not asked. @param {string} message */
  function refuse(message) {
    running.abort();
    clearProblems();
    place.removeAttribute('aria-busy');
    [previous.disabled, next.disabled] = [true, true];
    fail(message, 'Not asked.');
  }

  /** @param {string} message @param {string} facts */
  function fail(message, facts) {
    shown = undefined;
    place.replaceChildren();
    status.textContent = facts;
    problem.replaceChildren(message);
  }

  /**
   * Says it again beside the part of the builder it is about, with the very place marked. @param {string} message
   * @param {Query} query
   */
  function point(message, query) {
    const place = placeOf(message);
    const part = place && partOf[place.parameter.toLowerCase()];
    if (!place || !part) return;
    const note = byId(`${part}-problem`, HTMLElement);
    const text = Object.entries(query.values).find(
      ([name]) => name.toLowerCase() === place.parameter.toLowerCase(),
    )?.[1];
    note.replaceChildren(message);
    if (text !== undefined && place.position !== undefined) {
      const [before, marked, after] = markedAt(text, place.position);
      const mark = element('mark', {}, marked === '' ? '␣' : marked);
      note.append(element('code', { class: 'marked' }, before, mark, after));
      problem.append(element('code', { class: 'marked' }, before, mark.cloneNode(true), after));
    }
    const details = note.closest('details');
    if (details) details.open = true;
  }

  function clearProblems() {
    for (const note of document.querySelectorAll('.problem')) note.replaceChildren();
  }

  return { refuse, run, select };
}

/** @param {Answer} answer */
function countIn({ isJson, text }) {
  const count = isJson ? JSON.parse(text).Items?.length : undefined;
  return count === undefined ? '' : `${count} item${count === 1 ? '' : 's'}. `;
}

/** @param {number} bytes */
const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`);
