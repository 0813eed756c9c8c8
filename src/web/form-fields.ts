/** Fields of forms as HTML. A field is named as the API names what it holds, so that a refusal finds it. */
import { passwordRule, shortestPassword } from '../passwords/password-policy.js';
import { type Html, html } from './html.js';

interface Field {
  name: string;
  label: string;
  /** What to know before filling it in; may be filled in by a module later, too. */
  note?: string;
  /** Distinguishes it from fields of the same name in other forms of a page. */
  id?: string;
}

interface TextField extends Field {
  type?: 'text' | 'email' | 'password' | 'number' | 'date';
  autocomplete?: string;
  value?: string;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  isRequired?: boolean;
  /** Where to begin. */
  isFirst?: boolean;
  /** The id of the message that says why what was sent before was refused. */
  refusedBy?: string;
}

export const textField = ({ note, refusedBy, ...field }: TextField): Html => {
  const id = field.id ?? field.name;
  const described = [refusedBy, note === undefined ? undefined : `${id}-note`].filter((one) => one !== undefined);
  return html`<div class="field"><label for="${id}">${field.label}</label>
<input id="${id}" name="${field.name}" type="${field.type ?? 'text'}"${attributes({
    autocomplete: field.autocomplete ?? 'off',
    value: field.value,
    min: field.min,
    max: field.max,
    minlength: field.minLength,
    maxlength: field.maxLength,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': refusedBy && 'true',
  })}${field.isRequired ? html` required` : undefined}${field.isFirst ? html` autofocus` : undefined}>
${noteOf(id, note)}</div>
`;
};

/** For a password that somebody chooses, with the rule for it. */
export const newPasswordField = ({ note, ...field }: Field): Html =>
  textField({
    ...field,
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    minLength: shortestPassword,
    note: note === undefined ? passwordRule : `${passwordRule} ${note}`,
  });

export const choiceField = (
  { note, ...field }: Field,
  options: readonly (readonly [value: string, words: string])[],
): Html => {
  const id = field.id ?? field.name;
  return html`<div class="field"><label for="${id}">${field.label}</label>
<select id="${id}" name="${field.name}"${attributes({ 'aria-describedby': note && `${id}-note` })}>${options.map(
    ([value, words]) => html`<option value="${value}">${words}</option>`,
  )}</select>
${noteOf(id, note)}</div>
`;
};

export const checkField = ({ note, isDisabled, ...field }: Field & { isDisabled?: boolean }): Html => {
  const id = field.id ?? field.name;
  return html`<div class="field check"><input id="${id}" name="${field.name}" type="checkbox"${attributes({
    'aria-describedby': note && `${id}-note`,
  })}${isDisabled ? html` disabled` : undefined}><label for="${id}">${field.label}</label>
${noteOf(id, note)}</div>
`;
};

/** Where a form says what belongs to no field of it. */
export const complaints = html`<div class="problem" role="alert" data-complaints></div>
`;

const noteOf = (id: string, note: string | undefined): Html | undefined =>
  note === undefined ? undefined : html`<p class="note" id="${id}-note">${note}</p>\n`;

const attributes = (all: Record<string, string | number | undefined>): Html[] =>
  Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [html` ${name}="${value}"`]));
