/** What a whole list shows of each item: its Id before all else, which a client goes on behind. */
import { badRequest } from '../../errors.js';
import type { ObjectMember, Of, Shown, Value } from '../meaning.js';
import type { QueryV2 } from './query-v2.js';
import { object } from './resolve-object.js';
import type { Context } from './resolving.js';

const refusal = (what: string): Error => badRequest(`application/x-ndjson: ${what}`, 'InvalidParameter');

/** Errors: 400 for what no walk in the order of Ids can answer. */
export function checkWholeList({ result, groupBy, order, page, isPretty }: QueryV2): void {
  if (result || groupBy) throw refusal('only items are answered in this format. Leave result and groupBy out.');
  const [first] = order;
  if (first) throw refusal(`items come in the order of their Ids. Leave ${first.parameter} out.`);
  if (page.skip > 0) throw refusal('leave skip out. To go on behind an Id, filter by it: where=(id>5).');
  if (isPretty) throw refusal('each item stands on one line. Leave prettify out.');
}

/** `id`: the Id of the row. */
export function beginningWithId(shown: Shown, id: Value, context: Context): Shown {
  // A whole item begins so anyway.
  if (shown.kind !== 'items') return shown;
  const { item } = shown;
  if (item.kind !== 'object') throw refusal('an object is to be selected of each item, such as select={id,name}.');
  const others = item.members.filter((member) => !isId(member, id));
  const members: ObjectMember[] = [{ name: 'id', isKnown: true, value: id }, ...others];
  if (others.some(({ name }) => name === 'id'))
    throw refusal('each line begins with the Id of its item as id: give the other member named so another name.');
  return { ...shown, item: object(members, { at: 0 }, context) };
}

function isId({ name, value }: ObjectMember, id: Value): boolean {
  const fieldOf = (one: Value) => (one as Of<'field'>).operand;
  const isField = value.kind === 'field' && value.of.kind === 'row' && fieldOf(value).kind === 'field';
  return name === 'id' && isField && sameField(fieldOf(value), fieldOf(id));
}

const sameField = (one: Of<'field'>['operand'], other: Of<'field'>['operand']): boolean =>
  one.kind === 'field' && other.kind === 'field' && one.field === other.field;
