/**
 * A list that is searched and paged by the service. What is looked for stands in the address, so that Back finds it
 * again.
 */
import { byId, element } from './dom.js';

/** @typedef {{ search: string, show: string, skip: number }} Wanted */

export const shown = 50;

/**
 * @template Item
 * @param {{
 *   load(wanted: Wanted, signal: AbortSignal): Promise<{ items: Item[], hasMore: boolean }>,
 *   draw(items: Item[]): Node,
 *   nouns: string,
 * }} list
 */
export function pagedList({ load, draw, nouns }) {
  const form = byId('search', HTMLFormElement);
  const text = byId('search-text', HTMLInputElement);
  const choice = form.querySelector('select');
  const [status, problem, place] = [
    byId('list-status', HTMLElement),
    byId('list-problem', HTMLElement),
    byId('list', HTMLElement),
  ];
  const [previous, next] = [byId('previous', HTMLButtonElement), byId('next', HTMLButtonElement)];
  /** @type {Wanted} */
  let wanted = fromAddress();
  let running = new AbortController();

  /** By the address. @returns {Wanted} */
  function fromAddress() {
    const parameters = new URLSearchParams(location.search);
    const skip = Number(parameters.get('skip'));
    return {
      search: parameters.get('search') ?? '',
      show: parameters.get('show') ?? '',
      skip: Number.isInteger(skip) && skip > 0 ? skip : 0,
    };
  }

  function fillIn() {
    text.value = wanted.search;
    if (choice) choice.value = wanted.show;
  }

  async function show() {
    running.abort();
    const mine = new AbortController();
    running = mine;
    place.setAttribute('aria-busy', 'true');
    try {
      const { items, hasMore } = await load(wanted, mine.signal);
      if (mine.signal.aborted) return;
      // The last row of the last page is gone, or the address leads beyond it.
      if (items.length === 0 && wanted.skip > 0) return void go({ skip: 0 }, false);
      problem.replaceChildren();
      place.replaceChildren(
        items.length === 0 ? element('p', { class: 'none' }, `No ${nouns} are found.`) : draw(items),
      );
      status.textContent = rangeOf(items.length, hasMore);
      step(wanted.skip > 0, hasMore);
    } catch (error) {
      if (mine.signal.aborted) return;
      problem.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      if (running === mine) place.removeAttribute('aria-busy');
    }
  }

  /**
   * The focus does not go with the button that cannot be pressed any more. @param {boolean} isBack @param {boolean}
   * isOn
   */
  function step(isBack, isOn) {
    const had = document.activeElement;
    previous.disabled = !isBack;
    next.disabled = !isOn;
    if (had === previous && !isBack) (isOn ? next : text).focus();
    if (had === next && !isOn) (isBack ? previous : text).focus();
  }

  /** @param {number} count @param {boolean} hasMore */
  function rangeOf(count, hasMore) {
    if (count === 0) return `No ${nouns}.`;
    const range = count === 1 ? `${wanted.skip + 1}` : `${wanted.skip + 1} to ${wanted.skip + count}`;
    return hasMore ? `${range}; more follow.` : `${range} of ${wanted.skip + count}.`;
  }

  /** @param {Partial<Wanted>} change @param {boolean} isStep one that Back takes back */
  function go(change, isStep) {
    wanted = { ...wanted, ...change };
    const parameters = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(wanted)) {
      if (value === '' || value === 0) parameters.delete(name);
      else parameters.set(name, String(value));
    }
    const query = parameters.toString();
    const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
    if (isStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    return show();
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  text.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void go({ search: text.value.trim(), skip: 0 }, false), 300);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(typing);
    void go({ search: text.value.trim(), show: choice?.value ?? '', skip: 0 }, true);
  });
  choice?.addEventListener('change', () => void go({ show: choice.value, skip: 0 }, true));
  previous.addEventListener('click', () => void go({ skip: Math.max(0, wanted.skip - shown) }, true));
  next.addEventListener('click', () => void go({ skip: wanted.skip + shown }, true));
  addEventListener('popstate', () => {
    wanted = fromAddress();
    fillIn();
    void show();
  });
  fillIn();
  return { show };
}
