import { Entity } from 'typeorm';
import { Choice, Flag, Id, Integer, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { administrators } from '../../model/visibility.js';
import { richEditors } from '../users/user.entity.js';

/** What administrators set for all: one row, which is there from the start. */
@Resource({
  collection: 'GlobalSettings',
  operations: 'U',
  visible: administrators,
  isConfiguration: true,
  recordedAs: 'GlobalSetting',
  description: 'Settings of the service, for administrators.',
})
@Entity('global_settings')
export class GlobalSettings {
  @Id({ generated: false }) id!: number;
  @Text({ description: 'Shown on the pages.' }) companyName!: string | null;
  @Choice('RichEditorEnum', richEditors, {
    description: 'What rich text is that does not say it itself; null leaves it to the environment of the service.',
  })
  defaultRichEditor!: string | null;
  @Flag({ initial: true, description: 'Whether users may log in by password in the form.' })
  isLoginFormEnabled!: boolean;
  @Text({ max: 1024, writeOnly: true, description: 'Password of the System user; its token works once it has one.' })
  systemPassword!: string;
  @Integer({ initial: 100, description: 'The most access tokens that one user may have.' })
  accessTokenLimit!: number;
  @Integer({ initial: 480, description: 'Minutes without a request after which a session ends.' })
  sessionIdleMinutes!: number;
  @Integer({ initial: 168, description: 'Hours after which a session ends in any case.' })
  sessionHours!: number;
}
