/** The modules of the families: what they serve are the resources of the API. */
import { AccessTokensModule } from './access-tokens/access-tokens.module.js';
import { AssignablesModule } from './assignables/assignables.module.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { ContextModule } from './context/context.module.js';
import { CustomFieldsModule } from './custom-fields/custom-fields.module.js';
import { DeletedItemsModule } from './deleted-items/deleted-items.module.js';
import { GeneralsModule } from './generals/generals.module.js';
import { HistoryModule } from './history/history.module.js';
import { LoginAttemptsModule } from './login-attempts/login-attempts.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { MilestonesModule } from './milestones/milestones.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { ProcessModule } from './process/process.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { QueryV2Module } from './query-v2/query-v2.module.js';
import { RelationsModule } from './relations/relations.module.js';
import { ReleasesModule } from './releases/releases.module.js';
import { RevisionsModule } from './revisions/revisions.module.js';
import { SearchModule } from './search/search.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { TagsModule } from './tags/tags.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { TestPlansModule } from './test-plans/test-plans.module.js';
import { TimesModule } from './times/times.module.js';
import { UsersModule } from './users/users.module.js';

export const families = [
  AccessTokensModule,
  AssignablesModule,
  AttachmentsModule,
  CommentsModule,
  ContextModule,
  CustomFieldsModule,
  DeletedItemsModule,
  GeneralsModule,
  HistoryModule,
  LoginAttemptsModule,
  MessagesModule,
  MetadataModule,
  MilestonesModule,
  OpenApiModule,
  ProcessModule,
  ProjectsModule,
  QueryV2Module,
  RelationsModule,
  ReleasesModule,
  RevisionsModule,
  SearchModule,
  SettingsModule,
  TagsModule,
  TeamsModule,
  TestPlansModule,
  TimesModule,
  UsersModule,
];
