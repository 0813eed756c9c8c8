/**
 * What the edge asks of the families. Their modules provide it (`modules/common.module.ts`), so that nothing here
 * imports them.
 */
import type { ResourceType } from '../model/model.js';
import type { CustomFieldCatalogue } from '../query/meaning.js';

/** Injection token of the CommonRules. */
export const COMMON_RULES = Symbol('COMMON_RULES');

/** Injection token of the CustomFields. */
export const CUSTOM_FIELDS = Symbol('CUSTOM_FIELDS');

/** Injection token of the ProcessSetups. */
export const PROCESS_SETUPS = Symbol('PROCESS_SETUPS');

export interface ProcessSetups {
  /** Undefined when a set-up is kept, else a promise of the load. */
  loaded(): Promise<void> | undefined;
}

export interface CustomFields extends CustomFieldCatalogue {
  /** Undefined when what is known is young enough, else a promise of the load. */
  refresh(): Promise<void> | undefined;
  /** Grows whenever the definitions change. */
  readonly version: number;
  /** Whether a kind has a custom field of this name in some process. */
  defines(resource: ResourceType, input: string): boolean;
}
