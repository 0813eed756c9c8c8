/**
 * The rules that decorators gave class-validator, gathered once for each kind. It looks all of them up anew for every
 * object, which for a thousand objects takes longer than to store them; so it is asked only about those that break a
 * rule.
 */
import type { ValidatorConstraintInterface } from 'class-validator';
import type { ResourceType } from '../model/model.js';
import { validator } from '../model/stated-rules.js';

interface ValueRules {
  /** Nothing is allowed. */
  isOptional: boolean;
  tests: ((value: unknown) => boolean | Promise<boolean>)[];
}

const rulesByResource = new Map<ResourceType, ReadonlyMap<string, ValueRules>>();

/** Whether all values keep the rules of their properties. */
export function keepRules(resource: ResourceType, values: Readonly<Record<string, unknown>>): boolean {
  const rules = rulesOf(resource);
  for (const property of Object.keys(values)) {
    const rule = rules.get(property);
    const value = values[property];
    if (!rule || ((value === null || value === undefined) && rule.isOptional)) continue;
    if (!rule.tests.every((test) => test(value) === true)) return false;
  }
  return true;
}

function rulesOf(resource: ResourceType): ReadonlyMap<string, ValueRules> {
  const rules = rulesByResource.get(resource) ?? gather(resource);
  rulesByResource.set(resource, rules);
  return rules;
}

function gather({ entity }: ResourceType): ReadonlyMap<string, ValueRules> {
  const rules = new Map<string, ValueRules>();
  const { getFromContainer, getMetadataStorage } = validator();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(entity, '', false, false)) {
    const rule = rules.get(metadata.propertyName) ?? { isOptional: false, tests: [] };
    rules.set(metadata.propertyName, rule);
    if (metadata.type === 'conditionalValidation') rule.isOptional = true;
    if (!metadata.constraintCls) continue;
    const constraint = getFromContainer(metadata.constraintCls as new () => ValidatorConstraintInterface);
    const { constraints, propertyName: property } = metadata;
    rule.tests.push((value) =>
      constraint.validate(value, { constraints, property, value, object: {}, targetName: '' }),
    );
  }
  return rules;
}
