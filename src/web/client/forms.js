/**
 * Makes a form of the page send itself by a call: once at a time, with what is refused shown at the field it names and
 * told to those who do not see it.
 */
import { Refusal } from './calls.js';
import { element } from './dom.js';
import { holdFocus } from './focus.js';
import { clearMessage, wordsOf } from './messages.js';

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/**
 * @param {HTMLFormElement} form with a place for complaints, its fields named as the API names them
 * @param {() => Promise<void>} act rejects with a Refusal to be shown
 * @param {() => [field: string, complaint: string] | undefined} [check] what is wrong that the service cannot know
 */
export function sends(form, act, check = () => undefined) {
  let isRunning = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isRunning) return;
    clear(form);
    if (!form.closest('dialog')) clearMessage();
    const empty = fieldsOf(form).filter((field) => !field.checkValidity());
    for (const field of empty) complain(field, complaintOf(field));
    const wrong = empty.length === 0 ? check() : undefined;
    if (wrong) complain(fieldNamed(form, wrong[0]), wrong[1]);
    if (empty.length > 0 || wrong) {
      focusFirst(form);
      return;
    }
    isRunning = true;
    const ready = busy(form);
    try {
      await act();
      ready();
    } catch (error) {
      ready();
      refuse(form, error);
    } finally {
      isRunning = false;
    }
  });
}

/**
 * No button of it can be pressed until the returned function is called; the focus comes back to where it was. @param
 * {HTMLElement} place
 */
export function busy(place) {
  const buttons = [...place.querySelectorAll('button')].filter((button) => !button.disabled);
  const release = holdFocus();
  place.setAttribute('aria-busy', 'true');
  for (const button of buttons) button.disabled = true;
  return () => {
    place.removeAttribute('aria-busy');
    for (const button of buttons) button.disabled = false;
    release();
  };
}

/** @param {HTMLFormElement} form */
export function clear(form) {
  placeOf(form)?.replaceChildren();
  for (const note of form.querySelectorAll('.complaint')) note.remove();
  for (const field of fieldsOf(form)) {
    field.removeAttribute('aria-invalid');
    const rest = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== complaintId(field));
    if (rest.join('') === '') field.removeAttribute('aria-describedby');
    else field.setAttribute('aria-describedby', rest.join(' '));
  }
}

/**
 * Every line of a refusal stands at the field that it names, and above them all if it names none. @param
 * {HTMLFormElement} form @param {unknown} error
 */
export function refuse(form, error) {
  if (!(error instanceof Refusal)) {
    placeOf(form)?.replaceChildren('This page has failed. Load it again and look, before you try again.');
    throw error;
  }
  const rest = error.message.split('\n').filter((line) => {
    const [, name = '', why = ''] = /^([A-Za-z]+)(?:\.[A-Za-z]+)?: ([\s\S]*)$/.exec(line) ?? [];
    const field = name === '' ? undefined : fieldNamed(form, name);
    if (field) complain(field, why.charAt(0).toUpperCase() + why.slice(1));
    return !field;
  });
  placeOf(form)?.replaceChildren(rest.join('\n'), ...wordsOf(error).slice(1));
  focusFirst(form);
}

/** @param {HTMLFormElement} form */
function focusFirst(form) {
  const wrong = fieldsOf(form).find((field) => field.getAttribute('aria-invalid') === 'true');
  wrong?.focus();
}

/** @param {Field | undefined} field @param {string} why */
function complain(field, why) {
  if (!field || field.getAttribute('aria-invalid') === 'true') return;
  const note = element('p', { class: 'complaint', id: complaintId(field) }, why);
  field.closest('.field')?.append(note);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', [field.getAttribute('aria-describedby'), note.id].filter(Boolean).join(' '));
}

/** What the browser finds wrong, in the words of the service. @param {Field} field */
function complaintOf(field) {
  const { validity, min, max, minLength, type } = /** @type {HTMLInputElement} */ (field);
  if (validity.valueMissing && !validity.badInput) return 'A value is needed.';
  if (validity.tooShort) return `At least ${minLength} characters are needed.`;
  if (type === 'email') return 'An address such as name@example.com is needed.';
  if (type === 'number') return `A whole number from ${min} to ${max} is needed.`;
  if (type === 'date') return validity.rangeOverflow ? `A day up to ${max} is needed.` : 'A day to come is needed.';
  return field.validationMessage;
}

/** @param {Field} field */
const complaintId = (field) => `${field.id}-complaint`;

/** @param {HTMLFormElement} form @returns {Field[]} */
const fieldsOf = (form) =>
  [...form.elements].flatMap((one) =>
    one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? [one] : [],
  );

/** @param {HTMLFormElement} form @param {string} name */
const fieldNamed = (form, name) => fieldsOf(form).find((field) => field.name === name && field.name !== '');

/** @param {HTMLFormElement} form */
const placeOf = (form) => form.querySelector('[data-complaints]');

/**
 * An input of a form that must be there. @param {HTMLFormElement} form @param {string} name @returns {HTMLInputElement}
 */
export function inputOf(form, name) {
  const control = fieldNamed(form, name);
  if (!(control instanceof HTMLInputElement)) throw new Error(`the form has no ${name}`);
  return control;
}

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLSelectElement} */
export function selectOf(form, name) {
  const control = fieldNamed(form, name);
  if (!(control instanceof HTMLSelectElement)) throw new Error(`the form has no ${name}`);
  return control;
}

/**
 * What the form says that it did not say before, each as its kind of field says it. @param {HTMLFormElement} form
 * @param {Record<string, unknown>} before
 */
export function changes(form, before) {
  return Object.fromEntries(Object.entries(valuesOf(form)).filter(([name, value]) => value !== before[name]));
}

/**
 * An empty text is none, and a number is one. Passwords are no values: whoever needs one asks for it. @param
 * {HTMLFormElement} form @returns {Record<string, unknown>}
 */
export function valuesOf(form) {
  const all = fieldsOf(form).filter(({ name, autocomplete }) => name !== '' && !autocomplete.endsWith('password'));
  return Object.fromEntries(
    all.map((field) => {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') return [field.name, field.checked];
      if (field.value.trim() === '') return [field.name, null];
      return [field.name, field.type === 'number' ? Number(field.value) : field.value.trim()];
    }),
  );
}

/**
 * What somebody has changed since the form was filled in stays. @param {HTMLFormElement} form @param {Record<string,
 * unknown>} values @param {Record<string, unknown>} before what it was filled in with
 */
export function fill(form, values, before) {
  const changed = Object.keys(before).length === 0 ? {} : changes(form, before);
  for (const field of fieldsOf(form)) {
    if (!(field.name in values) || field.name in changed) continue;
    const value = values[field.name];
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === true;
    else field.value = value === null || value === undefined ? '' : String(value);
  }
}
