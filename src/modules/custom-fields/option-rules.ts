/**
 * The options of a list are the lines of `Value`: at least one, and different from one another without regard to case.
 */
import { type Change, currentValue, refuse } from '../../command/change.js';
import { shortened } from '../../texts/quoted-text.js';

const lists = new Set(['DropDown', 'MultipleSelectionList']);

const optionsIn = (value: unknown): string[] =>
  String(value ?? '')
    .split(/\r\n|\r|\n/)
    .map((option) => option.trim())
    .filter((option) => option !== '');

/** Whether a value may have an option in another case: one that was not there, or that another one was like. */
export function areRespelled(change: Change): boolean {
  const { values, before, isNew } = change;
  if (isNew || currentValue(change, 'fieldType') !== 'DropDown') return false;
  if (!('value' in values) && !('fieldType' in values)) return false;
  const old = before?.field_type === 'DropDown' ? optionsIn(before.value) : [];
  const options = optionsOf(change);
  const gone = new Set(old.filter((option) => !options.includes(option)).map((option) => option.toLowerCase()));
  return options.some((option) => !old.includes(option) || gone.has(option.toLowerCase()));
}

/** As they are by now. */
export const optionsOf = (change: Change): string[] => optionsIn(currentValue(change, 'value'));

export function optionRules(change: Change): void {
  const { values, isNew } = change;
  if (!isNew && !('value' in values) && !('fieldType' in values)) return;
  if (!lists.has(currentValue<string>(change, 'fieldType') ?? '')) return;
  const options = optionsOf(change);
  if (options.length === 0) throw refuse(change, 'Value', 'a list needs its options, one a line.');
  refuseTwice(change, options);
  if ('value' in values) values.value = options.join('\r\n');
  // XML has no carriage returns: the same lines are the same options.
  if (values.value === change.before?.value) delete values.value;
}

function refuseTwice(change: Change, options: readonly string[]): void {
  const seen = new Set<string>();
  for (const option of options) {
    const key = option.toLowerCase();
    if (seen.has(key)) throw refuse(change, 'Value', `the option '${shortened(option)}' is given twice.`);
    seen.add(key);
  }
}
