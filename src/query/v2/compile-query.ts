/** Resolves, scopes and compiles a request of version 2 into one statement, through the machinery of version 1. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import type { Statement } from '../../sql.js';
import { expressionSize } from '../compile/answer-size.js';
import { compiling } from '../compile/compiler.js';
import type { Compiling } from '../compile/compiling.js';
import { spelledItem } from '../compile/json.js';
import { groups, overall } from '../compile/overall.js';
import { atBeginning, compilePage, type SpelledItems, spelledBy } from '../compile/page.js';
import type { StatementCache } from '../compile/statement-cache.js';
import { affordable } from '../limits.js';
import type { Plan, Value } from '../meaning.js';
import { scopeRows, scopeShown, scopeValue } from '../scope.js';
import { rowOf } from '../values.js';
import { wholeItem } from './display.js';
import type { QueryV2 } from './query-v2.js';
import { type Extent, type QueryContext, resolveQueryV2 } from './resolve-query.js';

interface AskingV2 extends QueryContext {
  resource: ResourceType;
  shape: ActorShape;
  json: JsonV2;
  statements: StatementCache;
  extent: Extent;
}

/** Rows of `items` (texts of items, glued) and `more`; of a result, its text. Errors: 400. */
export function compileQueryV2(query: QueryV2, asking: AskingV2): Statement {
  const { shape, json, statements } = asking;
  const { plan: asked, shown: meant } = resolveQueryV2(query, asking.resource, asking, asking.extent);
  const plan = scopeRows(asked, shape);
  const shown = scopeShown(meant, shape);
  const to = compiling(json);
  switch (shown.kind) {
    case 'whole':
      return statements.page(plan, wholeItems(query, plan, asking), to);
    case 'items':
      return compilePage(plan, json, { tail: '' }, itemsOf(shown.item, plan.privacy, to), to);
    case 'result':
      return affordable(overall(shown.result, plan, to));
    case 'groups':
      return affordable(groups(shown, plan, to), () => groups(shown, atBeginning(plan), compiling(json)));
  }
}

/** Items as they are shown when nothing is selected. No text of a client changes them, so that each is spelled once. */
function wholeItems({ dates }: QueryV2, plan: Plan, { resource, shape, json, catalogue, statements }: AskingV2) {
  return statements.itemsOf(
    nothingSelected,
    `${dates} ${resource.name} ${shape}${json.pageSeparator === '\n' ? ' lines' : ''}`,
    () => {
      const item = scopeValue(wholeItem(rowOf(resource), { catalogue }), shape);
      return { plan, spell: () => itemsOf(item, plan.privacy, compiling(json)) };
    },
  );
}

const nothingSelected = {};

const itemsOf = (item: Value, privacy: Plan['privacy'], to: Compiling): SpelledItems =>
  spelledBy((row) => spelledItem(item, row), expressionSize(item), privacy, to.json!, to);
