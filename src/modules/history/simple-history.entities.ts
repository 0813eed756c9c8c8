import { ChildEntity, Entity, TableInheritance } from 'typeorm';
import { Decimal, Id, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { type HistoricKind, wordsOf } from './historic-kind.js';

const fact = { readOnly: true } as const;
const past = { readOnly: true, loose: true } as const;

/** A note that the state, effort, release or iteration of an item changed, with what they became. */
@Resource({
  collection: 'SimpleHistories',
  isRecorded: false,
  order: descending('date'),
  visible: through('general'),
  isListed: false,
  description: 'A change of the state, effort, release or iteration of an item.',
})
@Entity('simple_history')
@TableInheritance({ column: { type: 'int', name: 'entity_type_id' } })
export abstract class SimpleHistory {
  @Id() id!: number;
  @Moment({ ...fact, required: true }) date!: Date;
  @Decimal(fact) effort!: string | null;
  @Decimal(fact) effortCompleted!: string | null;
  @Decimal(fact) effortToDo!: string | null;
  @Reference('Project', past) project!: Ref;
  @Reference('EntityState', past) entityState!: Ref;
  @Reference('GeneralUser', past) modifier!: Ref;
  @Reference('Release', past) release!: Ref;
  @Reference('Iteration', past) iteration!: Ref;
  @Reference('General', { ...past, always: true, synthetic: true }) general!: Ref;
}

/** `BugSimpleHistory` at `/BugSimpleHistories`, with the reference `Bug`. */
export function simpleHistoryOf({ name, entityTypeId, property }: HistoricKind): new () => SimpleHistory {
  const className = `${name}SimpleHistory`;
  const type = { [className]: class extends SimpleHistory {} }[className]!;
  Reference(name, { readOnly: true, narrows: 'general' })(type.prototype, property);
  ChildEntity(entityTypeId)(type);
  const description = `A change of the state, effort, release or iteration of any ${wordsOf(name)}.`;
  Resource({ collection: `${name}SimpleHistories`, isListed: false, description })(type);
  return type;
}
