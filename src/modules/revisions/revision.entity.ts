import { Entity } from 'typeorm';
import { Collection, editable, Id, Moment, type Ref, Reference, RichText, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

/** A commit that version control has reported, and the work items it is about. */
@Resource({
  collection: 'Revisions',
  operations: 'CUD',
  visible: through('project'),
  description: 'A commit that version control has reported.',
})
@Entity('revision')
export class Revision {
  @Id() id!: number;
  @Text({ required: true, description: 'How version control names the commit.' }) sourceControlId!: string;
  @RichText() description!: string | null;
  @Moment() commitDate!: Date | null;
  @Reference('Project', { required: true }) project!: Ref;
  @Reference('User') author!: Ref;
  @Collection('RevisionFile', { by: 'revision' }, editable) revisionFiles!: unknown;
  @Collection('Assignable', { table: 'revision_assignable', from: 'revision_id', to: 'assignable_id' }, editable)
  assignables!: unknown;
}
