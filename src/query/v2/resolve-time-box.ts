/** `InPast(n)` and `InFuture(n)`: the n nearest time boxes of a project, or of a team, that are over or yet to come. */
import type { ResourceType } from '../../model/model.js';
import type { Value } from '../meaning.js';
import type { Name } from './expression.js';
import { made, type Place, refuse } from './resolving.js';
import { boolean } from './types.js';

const owners: Readonly<Record<string, string | undefined>> = {
  Release: 'project',
  Iteration: 'project',
  TeamIteration: 'team',
};

export function timeBoxMember(of: Value, resource: ResourceType, node: Name, { context }: Place): Value | undefined {
  const property = owners[resource.name];
  if (property === undefined) return undefined;
  const [arg] = node.args!;
  if (node.args!.length !== 1 || arg?.kind !== 'literal' || arg.literal !== 'integer' || arg.text.length > 4) {
    throw refuse(context, node, `${node.name} takes one argument: how many of the nearest, a whole number`);
  }
  const owner = resource.ofProperty(property);
  if (owner?.kind !== 'reference') throw new Error(`${resource.name} has no ${property}`);
  const isPast = node.name.toLowerCase() === 'inpast';
  return made<Extract<Value, { kind: 'near' }>>(
    { kind: 'near', of, resource, owner, isPast, count: Number(arg.text), type: boolean, nullable: false },
    context,
  );
}
