import { Entity } from 'typeorm';
import { Collection, Flag, Id, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'RequestTypes',
  operations: 'CUD',
  order: ascending('name'),
  isConfiguration: true,
  description: 'What kind of request: an issue, an idea, a question.',
})
@Entity('request_type')
export class RequestType {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Text() icon!: string | null;
  @Flag({ initial: false }) isPrivateByDefault!: boolean;
  @Flag({ initial: false }) isVotingEnabled!: boolean;
  @Collection('Request', { by: 'requestType' }) requests!: unknown;
}
