/** Resolves, scopes and compiles a list of version 1 into one statement. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { Representation } from '../../representation/representation.js';
import type { Statement } from '../../sql.js';
import { compiling, isJoined, isLong, type LinkTail, spellItems } from '../compile/page.js';
import type { StatementCache } from '../compile/statement-cache.js';
import type { Condition, CustomFieldCatalogue, Plan } from '../meaning.js';
import { scopeItems, scopeRows } from '../scope.js';
import type { Query } from './query.js';
import { resolveRows } from './resolve.js';
import { resolveSelection } from './resolve-selection.js';

export interface Asking extends LinkTail {
  resource: ResourceType;
  shape: ActorShape;
  format: Representation;
  /** The same for the same `format`, and for no other. */
  formatName: string;
  catalogue: CustomFieldCatalogue;
  statements: StatementCache;
  /** What the route says of the rows. */
  extra: readonly Condition[];
  /** The same for the same `extra`, and for no other. */
  extraName: string;
}

/** Errors: 400, the same and in the same order as for a query whose selection is new. */
export function compileQuery(query: Query, asking: Asking): Statement {
  const { shape, catalogue, statements, extra } = asking;
  const items = itemsOf(query, asking);
  return statements.ofShape(items, rowsKey(query, asking), query.where, () => {
    const resolved = resolveRows(query, items.plan, catalogue);
    return statements.page(scopeRows({ ...resolved, where: [...resolved.where, ...extra] }, shape), items, compiling());
  });
}

/** The same before it is scoped. */
export function resolve(
  { selection, inner, ...rows }: Query,
  resource: ResourceType,
  catalogue: CustomFieldCatalogue,
): Plan {
  return resolveRows(rows, resolveSelection(selection, { resource, catalogue, inner }), catalogue);
}

/** All that the rows of a page depend on, but the words of its filter. */
function rowsKey({ where, order, page }: Query, { extraName }: Asking): string {
  const ordered = order.length === 0 ? '' : JSON.stringify(order);
  return `${extraName} ${page.take} ${page.skip} ${ordered} ${where?.shape}`;
}

function itemsOf(query: Query, { resource, shape, format, formatName, tail, catalogue, statements }: Asking) {
  const { inner, page, selection } = query;
  const key = `${resource.name} ${shape} ${formatName} ${inner.take} ${inner.skip} ${isLong(page)} ${tail}`;
  return statements.itemsOf(selection, key, () => {
    const plan = scopeItems(resolveSelection(selection, { resource, catalogue, inner }), shape);
    return { plan, spelled: spellItems(plan, format, { tail }, isJoined({ ...plan, page })) };
  });
}
