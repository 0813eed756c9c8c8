/** Makes elements. Whatever comes from outside becomes a text or an attribute, never markup. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | undefined>} attributes `true` is an attribute without a value,
 * `false` none
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * An element of the page that must be there.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const node = document.getElementById(id);
  if (!(node instanceof type)) throw new Error(`the page has no ${id}`);
  return node;
}

/** @param {string} words @param {() => void} act @param {Record<string, string | boolean>} attributes */
export function button(words, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, words);
  made.addEventListener('click', act);
  return made;
}

let used = 0;

/** An id that nothing else has. @param {string} name */
export const freshId = (name) => `${name}-${++used}`;
