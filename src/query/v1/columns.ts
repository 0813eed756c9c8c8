/** What the rows of a list in CSV show: the members of a Plan, those of references by their paths. */
import type { Column } from '../../representation/csv.js';
import type { Plan } from '../meaning.js';

export function columnsOf(plan: Plan, path: readonly string[] = []): Column[] {
  const { nameField } = plan.resource;
  const hasName = plan.members.some(({ field }) => field === nameField);
  const own = (name: string): Column => ({ kind: 'value', path: [...path, name] });
  return [
    own('Id'),
    ...(hasName ? [own('Name')] : []),
    ...plan.members.flatMap((member): Column[] => {
      if (member.kind === 'reference') return columnsOf(member.plan, [...path, member.field.name]);
      return member.field === nameField ? [] : [own(member.field.name)];
    }),
    ...plan.aggregates.map(({ name }) => own(name)),
    ...customNames(plan).map((name): Column => ({ kind: 'custom', path: [...path, 'CustomFields'], name })),
    ...plan.collections.map(({ field }): Column => ({ kind: 'items', path: [...path, field.name] })),
  ];
}

/** Of all processes and kinds, each name once. */
function customNames({ customFields = [], resource }: Plan): string[] {
  const kinds = new Set(resource.entityTypeIds);
  const groups = customFields.filter(({ entityTypeId }) => kinds.has(entityTypeId));
  return [...new Set(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))];
}
