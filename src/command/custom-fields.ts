/**
 * Reads the `CustomFields` member of a payload, in whichever shape its format gives it, into names and values still as
 * sent.
 */
import { badMember, badRequest, nulCharacter, unwritableText } from '../errors.js';
import { isXmlText } from '../texts/characters.js';
import type { SentCustomField } from './command.js';
import type { Payload, PayloadValue } from './payload.js';

const limits = { fields: 500, nameCharacters: 255 };

/** Nothing sent, `[]`, null and an empty element all mean: no custom field is changed. */
export function customFieldsOf(value: PayloadValue, path: string): SentCustomField[] {
  const entries = entriesOf(value, path);
  if (entries.length > limits.fields) {
    throw badRequest(
      `${path}: ${entries.length} custom fields are sent; at most ${limits.fields} are allowed.`,
      'TooMuch',
    );
  }
  return entries.flatMap((entry, index) => {
    const field = sentField(entry, `${path}[${index}]`);
    return field.value ? [{ ...field, value: field.value }] : [];
  });
}

function entriesOf(value: PayloadValue, path: string): readonly PayloadValue[] {
  if (value.kind === 'list') return value.items;
  if (value.kind === 'null' || (value.kind === 'text' && value.text.trim() === '')) return [];
  const only = value.kind === 'object' && value.object.members.length === 1 ? value.object.members[0] : undefined;
  const name = only?.name.toLowerCase();
  if (only && name === 'items') return entriesOf(only.value, path);
  // In XML one entry alone is a member; only several are seen to be a list.
  if (only && name === 'field') return only.value.kind === 'list' ? only.value.items : [only.value];
  throw badMember(path, `custom fields are a list, ${shape}.`);
}

const shape = 'in JSON [{"Name": "Risk", "Value": "High"}], in XML <Field><Name>Risk</Name><Value>High</Value></Field>';

/**
 * What an answer holds beside the name and the value is no news, and the definition knows better. The type tells what
 * was read of a field that has another type where the entity moves to.
 */
const members = new Set(['name', 'value', 'type', 'id', 'resourcetype']);

/** Some clients leave out what is null: what an answer showed, without its value, changes nothing. */
function sentField(entry: PayloadValue, path: string): Omit<SentCustomField, 'value'> & { value?: PayloadValue } {
  if (entry.kind !== 'object') throw badMember(path, `a custom field has a Name and a Value, ${shape}.`);
  const stray = entry.object.members.find(({ name }) => !members.has(name.toLowerCase()));
  if (stray) throw badMember(path, `a custom field has a Name, a Type and a Value, and no ${quoted(stray.name)}.`);
  const value = member(entry.object, 'value');
  const name = fieldName(member(entry.object, 'name'), `${path}.Name`);
  // A value that was forgotten must not clear the field.
  const type = member(entry.object, 'type');
  if (!value && !type) throw badMember(`${path}.Value`, 'a value is needed; null clears the field.');
  return { name, value, path: `${path}.Value`, ...(type?.kind === 'text' && { type: type.text }) };
}

/** The message is answered in XML too, so what XML cannot carry is not repeated. */
const quoted = (text: string): string => (isXmlText(text) ? `'${text.slice(0, 80).toWellFormed()}'` : 'other members');

const member = ({ members: sent }: Payload, wanted: string): PayloadValue | undefined =>
  sent.find(({ name }) => name.toLowerCase() === wanted)?.value;

function fieldName(value: PayloadValue | undefined, path: string): string {
  const name = value?.kind === 'text' || value?.kind === 'number' ? value.text.trim() : '';
  if (name === '') throw badMember(path, 'the name of the custom field is needed.');
  if (name.includes('\0')) throw nulCharacter(path);
  if (!isXmlText(name)) throw unwritableText(path);
  if (name.length > limits.nameCharacters) {
    throw badMember(path, `at most ${limits.nameCharacters} characters are allowed.`);
  }
  return name;
}
