/**
 * Returns the focus to where it was when everything that took it away is over: dialogs are closed, requests answered,
 * buttons enabled again, in whatever order. Where it was may be gone by then, or drawn anew: then it goes to what took
 * that place, or to what is left near there.
 */

/**
 * @typedef {{ element: HTMLElement, near: Element | null }} Place
 * @typedef {{ operations: Set<symbol>, place?: Place }} Layer
 */

/** What is under way in each dialog, and in the page below them. @type {WeakMap<Element, Layer>} */
const layers = new WeakMap();

/**
 * Called when something begins that may take the focus away; what it returns, when that is over. @returns {() => void}
 */
export function holdFocus() {
  const layer = topLayer();
  const operation = Symbol();
  layer.operations.add(operation);
  // Nothing has the focus while its button is disabled: the operation that disabled it knows the place.
  if (!isLost()) layer.place = placeOf(document.activeElement);
  // Whoever waits for the end changes the page first.
  return () => void setTimeout(() => end(layer, operation));
}

/** @param {Layer} layer @param {symbol} operation */
function end({ operations }, operation) {
  operations.delete(operation);
  const top = topLayer();
  if (top.operations.size > 0) return;
  const { place } = top;
  top.place = undefined;
  if (place && isLost()) giveBack(place);
}

/** @param {Place} place */
function giveBack({ element, near }) {
  const successor = element.id === '' ? null : document.getElementById(element.id);
  for (const one of [element, successor, near?.querySelector(reachable), document.getElementById('content')]) {
    if (one instanceof HTMLElement) one.focus({ preventScroll: one.id === 'content' });
    if (!isLost()) return;
  }
}

/** @returns {Layer} */
function topLayer() {
  const element = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const layer = layers.get(element) ?? { operations: new Set() };
  layers.set(element, layer);
  return layer;
}

/** A browser takes the focus from what is disabled or closed no sooner than it draws the page. */
function isLost() {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(gone);
}

/** @param {Element | null} element @returns {Place | undefined} */
const placeOf = (element) =>
  element instanceof HTMLElement ? { element, near: element.closest('section, .part-content') } : undefined;

const gone = ':disabled, dialog:not([open]) *';

const reachable = ':is(button, input, select):enabled, a[href]';
