import { ChildEntity } from 'typeorm';
import { Choice, type Ref, Reference, RichText, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { GeneralUser } from './general-user.entity.js';

export const requesterSources = ['None', 'Mail', 'External', 'Internal'] as const;

@Resource({
  collection: 'Requesters',
  operations: 'CUD',
  requires: ['email'],
  entityTypeId: 18,
  description: 'Somebody outside who asks for things; has no access to the API.',
})
@ChildEntity('Requester')
export class Requester extends GeneralUser {
  @Text({ max: 100 }) phone!: string | null;
  @RichText() notes!: string | null;
  @Choice('RequesterSourceTypeEnum', requesterSources, { initial: 'None' }) sourceType!: string;
  @Reference('Company') company!: Ref;
}
