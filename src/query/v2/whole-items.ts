/** Items as they are shown when nothing is selected. No text of a client changes them, so that each is spelled once. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import { shareOf } from '../answer-size.js';
import { type SpelledItems, spelledBy } from '../compile.js';
import { privacyOf } from '../scope.js';
import { itemSpeller } from './compile-items.js';
import { wholeItem } from './display.js';
import { expressionSize } from './expression-size.js';
import type { QueryContext } from './resolve-query.js';
import { rowOf } from './resolving.js';
import { scopeExpression } from './scope-expression.js';

export interface ItemsAsked extends QueryContext {
  resource: ResourceType;
  shape: ActorShape;
  json: JsonV2;
}

export class WholeItems {
  private kept = new WeakMap<JsonV2, Map<string, SpelledItems>>();

  /** Definitions of custom fields are part of what is shown. */
  clear(): void {
    this.kept = new WeakMap();
  }

  of(asked: ItemsAsked): SpelledItems {
    const { json, resource, shape } = asked;
    const ofJson = this.kept.get(json) ?? new Map<string, SpelledItems>();
    this.kept.set(json, ofJson);
    const key = `${resource.name} ${shape}`;
    const cached = ofJson.get(key);
    if (cached) return cached;
    const made = spell(asked);
    ofJson.set(key, made);
    return made;
  }
}

function spell({ resource, shape, json, model, catalogue }: ItemsAsked): SpelledItems {
  const row = rowOf(resource);
  const item = wholeItem(row, { model, catalogue, source: { parameter: 'select', place: (start) => start } });
  scopeExpression(item, shape);
  const to = { json, rows: new Map(), valuesMatter: false, share: shareOf({ long: 8 }) };
  return spelledBy(itemSpeller(item, row.binder, to), expressionSize(item), privacyOf(shape), json);
}
