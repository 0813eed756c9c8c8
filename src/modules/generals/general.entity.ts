import { Column, Entity, TableInheritance } from 'typeorm';
import {
  Choice,
  Collection,
  Computed,
  Double,
  editable,
  Id,
  Long,
  Moment,
  Recorded,
  type Ref,
  Reference,
  RichText,
  Text,
} from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { membership } from '../../model/visibility.js';
import { isOver, sql } from '../../sql.js';
import { isUnderWay } from './end-dates.js';

/** Units of effort: story points, or hours. */
export const units = ['pt', 'h'] as const;

/** Whatever is planned, built or tracked: one table and one sequence of ids for all kinds. */
@Resource({
  collection: 'Generals',
  author: 'lastEditor',
  operations: 'UD',
  order: ascending('id'),
  visible: membership,
  shortWithin: { Relation: { EntityType: 'short' } },
  customFields: 'project',
  sharesTransactions: true,
  isGeneral: true,
  facts: {
    kind: 'entity_type_id',
    name: 'name',
    project: 'project_id',
    release: 'release_id',
    iteration: 'iteration_id',
    teamIteration: 'team_iteration_id',
    userStory: 'user_story_id',
    feature: 'feature_id',
    testPlan: 'test_plan_id',
  },
  description: 'Base of everything that is planned, built or tracked.',
})
@Entity('general')
@TableInheritance({ column: { type: 'int', name: 'entity_type_id' } })
export abstract class General {
  @Id() id!: number;
  @Text({ max: 255, required: true }) name!: string;
  @RichText() description!: string | null;
  @Moment() startDate!: Date | null;
  @Moment() endDate!: Date | null;
  @Moment({ recorded: false, readOnly: true, required: true }) createDate!: Date;
  @Moment({ recorded: false, readOnly: true, required: true, version: true }) modifyDate!: Date;
  @Moment({ recorded: false, readOnly: true }) lastCommentDate!: Date | null;
  @Computed(
    'text',
    (row) => sql`coalesce((select string_agg(tag.name, ', ' order by lower(tag.name)) from general_tag
    join tag on tag.id = general_tag.tag_id where general_tag.general_id = ${row('id')}), '')`,
    {
      settable: true,
      description: 'Names of the tags, joined by comma and space.',
    },
  )
  tags!: string;
  @Double({ initial: 0, description: 'Rank: smaller comes first.' }) numericPriority!: number;
  @Long({
    recorded: false,
    readOnly: true,
    initial: 1,
    version: true,
    description: 'Grows with every change of the row.',
  })
  entityVersion!: string;
  @Computed('flag', isUnderWay, { synthetic: true, description: 'Started and not yet ended.' })
  isNow!: boolean;
  @Computed('flag', (row) => sql`coalesce(${row('start_date')} > now(), false)`, {
    synthetic: true,
    description: 'Not yet started.',
  })
  isNext!: boolean;
  @Computed('flag', (row) => sql`coalesce(${isOver(row('end_date'))}, false)`, {
    synthetic: true,
    description: 'Wholly in the past.',
  })
  isPrevious!: boolean;
  @Moment({ softDelete: true, synthetic: true }) deleteDate!: Date | null;

  @Reference('EntityType', { always: true, readOnly: true, column: 'entity_type_id' }) entityType!: Ref;
  // Users are marked deleted and never removed, so no constraint has to be asked at each write who it is that writes.
  @Reference('GeneralUser', { recorded: false, readOnly: true, loose: true }) lastEditor!: Ref;
  @Reference('GeneralUser', { loose: true }) owner!: Ref;
  @Reference('GeneralUser', { sameAs: 'owner' }) creator!: Ref;
  @Reference('GeneralUser', { recorded: false, readOnly: true, loose: true }) lastCommentedUser!: Ref;
  @Reference('Project') project!: Ref;
  @Reference('TestPlan') linkedTestPlan!: Ref;
  @Reference('Milestone') milestone!: Ref;

  @Collection('Comment', { by: 'general' }, editable) comments!: unknown;
  @Collection('Message', { table: 'message_general', from: 'general_id', to: 'message_id' }, { inverse: true })
  messages!: unknown;
  @Collection('Tag', { table: 'general_tag', from: 'general_id', to: 'tag_id' }, { ...editable, spelledBy: 'tags' })
  tagObjects!: unknown;
  @Collection('Relation', { by: 'slave' }, { ...editable, deprecated: true }) masterRelations!: unknown;
  @Collection('Relation', { by: 'master' }, { ...editable, deprecated: true }) slaveRelations!: unknown;
  @Collection('Relation', { by: 'slave' }, editable) inboundRelations!: unknown;
  @Collection('Relation', { by: 'master' }, editable) outboundRelations!: unknown;
  @Collection('InboundAssignable', { by: 'outboundGeneral' }) inboundAssignables!: unknown;
  @Collection('OutboundAssignable', { by: 'inboundGeneral' }) outboundAssignables!: unknown;
  @Collection('GeneralFollower', { by: 'general' }, editable) followers!: unknown;
  @Collection('Attachment', { by: 'general' }) attachments!: unknown;
  @Collection('EntityPermission', { by: 'general' }, editable) entityPermissions!: unknown;

  /** Values of custom fields by the name of their definition. */
  @Recorded()
  @Column({ type: 'jsonb', name: 'custom_values', default: {} })
  customValues!: Record<string, unknown>;
  /** The General whose deletion took this one along, so that restoring brings back exactly what was hidden with it. */
  @Column({ type: 'bigint', name: 'deleted_with_id', nullable: true }) deletedWithId!: number | null;
}

/** Totals of effort and time, kept up to date by the writing transaction so that they can be filtered and sorted. */
export const unitsField = (): PropertyDecorator => Choice('Units', units, { readOnly: true, initial: 'pt' });
