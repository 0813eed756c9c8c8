/** The model, and what all families share: the edge gets it by the tokens of `http/family-tokens.ts`. */
import { Global, Module } from '@nestjs/common';
import { ENTITIES } from '../database/entities.token.js';
import { COMMON_RULES, CUSTOM_FIELDS, PROCESS_SETUPS } from '../http/family-tokens.js';
import { buildModel } from '../model/build-model.js';
import { MODEL } from '../model/model.token.js';
import { CommonRules } from './common-rules.js';
import { Catalogue } from './custom-fields/catalogue.js';
import { CustomValueRules } from './custom-fields/custom-value-rules.js';
import { entities, resourceEntities } from './entities.js';
import { TouchRules } from './generals/touch-rules.js';
import { NameRules } from './process/name-rules.js';
import { ProcessCatalogue } from './process/process-catalogue.js';
import { TagRules } from './tags/tag-rules.js';

@Global()
@Module({
  providers: [
    { provide: ENTITIES, useValue: entities },
    { provide: MODEL, useFactory: () => buildModel(resourceEntities) },
    Catalogue,
    { provide: CUSTOM_FIELDS, useExisting: Catalogue },
    ProcessCatalogue,
    { provide: PROCESS_SETUPS, useExisting: ProcessCatalogue },
    NameRules,
    CustomValueRules,
    TagRules,
    TouchRules,
    CommonRules,
    { provide: COMMON_RULES, useExisting: CommonRules },
  ],
  exports: [ENTITIES, MODEL, Catalogue, CUSTOM_FIELDS, ProcessCatalogue, PROCESS_SETUPS, COMMON_RULES],
})
export class CommonModule {}
