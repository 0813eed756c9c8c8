/**
 * The options of a list are the lines of `Value`: at least one, and each told from the others without regard to case.
 */
import { type Change, currentValue, refuse } from '../../command/change.js';
import { shortened } from '../../texts/quoted-text.js';

const lists = new Set(['DropDown', 'MultipleSelectionList']);

export function optionRules(change: Change): void {
  const { values, isNew } = change;
  if (!isNew && !('value' in values) && !('fieldType' in values)) return;
  if (!lists.has(currentValue<string>(change, 'fieldType') ?? '')) return;
  const options = (currentValue<string>(change, 'value') ?? '')
    .split(/\r\n|\r|\n/)
    .map((option) => option.trim())
    .filter((option) => option !== '');
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
