import { Entity } from 'typeorm';
import { Choice, Id, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

export const fileActions = ['None', 'Add', 'Delete', 'Modify', 'Rename', 'Branch'] as const;

/** One file of a revision, and what was done to it. */
@Resource({
  collection: 'RevisionFiles',
  operations: 'CUD',
  visible: through('revision'),
  item: ['FileName', 'FileAction'],
  description: 'A file that a revision changes.',
})
@Entity('revision_file')
export class RevisionFile {
  @Id() id!: number;
  @Text({ max: 4096 }) fileName!: string | null;
  @Choice('FileActionEnum', fileActions, { initial: 'None' }) fileAction!: string;
  @Reference('Revision', { required: true }) revision!: Ref;
}
