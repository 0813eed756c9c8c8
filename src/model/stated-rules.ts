/**
 * The rules that field decorators state, kept until the first value is checked: only then class-validator is loaded and
 * told them. It is large, and reading needs none of it.
 */
import { onDemand } from '../runtime/on-demand.js';

type Validator = typeof import('class-validator');
/** One of class-validator's decorators, made when that is loaded. */
export type Rule = (validator: Validator) => PropertyDecorator;

const load = onDemand<Validator>('class-validator');
const stated: { rule: Rule; prototype: object; property: string | symbol }[] = [];

export function stateRule(rule: Rule, prototype: object, property: string | symbol): void {
  stated.push({ rule, prototype, property });
}

/** class-validator, which knows all rules that were stated. */
export function validator(): Validator {
  for (const { rule, prototype, property } of stated.splice(0)) rule(load())(prototype, property);
  return load();
}
