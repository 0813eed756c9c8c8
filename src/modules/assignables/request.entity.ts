import { ChildEntity } from 'typeorm';
import { Choice, Collection, editable, Flag, Integer, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

export const requestSources = ['None', 'Email', 'Phone', 'Internal', 'External'] as const;

@Resource({
  collection: 'Requests',
  requires: ['project'],
  operations: 'CUD',
  order: descending('id'),
  level: 1,
  description: 'What somebody outside the team asked for.',
})
@ChildEntity(17)
export class Request extends Assignable {
  @Choice('RequestSourceEnum', requestSources, { initial: 'None' }) sourceType!: string;
  @Flag({ initial: false }) isReplied!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) isPrivate!: boolean;
  @Integer({ readOnly: true, initial: 0 }) votesCount!: number;
  @Reference('RequestType') requestType!: Ref;
  @Reference('Build') build!: Ref;
  @Collection('GeneralUser', { table: 'request_requester', from: 'request_id', to: 'requester_id' }, editable)
  requesters!: unknown;
  @Collection('RequestSimpleHistory', { by: 'request' }) history!: unknown;
}
