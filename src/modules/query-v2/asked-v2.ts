/** What the text of a request of version 2 asks for, worked out once, and the statements that were compiled for it. */
import { LRUCache } from 'lru-cache';
import { withoutCredentials } from '../../auth/query-credential.js';
import { limits } from '../../query/query.js';
import { expressionLimits } from '../../query/v2/limits.js';
import { parametersInPath, parseQueryV2, type QueryV2 } from '../../query/v2/query-v2.js';
import type { Statement } from '../../sql.js';

export interface AskedV2 {
  query: QueryV2;
  /** By resource and shape of actor. */
  statements: Map<string, Statement>;
  /** Of the definitions of custom fields that were compiled in. */
  version: number;
}

/** Where the parameters came from. */
export interface Texts {
  /** Behind the question mark, as it came. */
  query: string;
  /** The body of a form. */
  form?: string;
  /** The condition in the path, and what follows it there, as it came. */
  inPath?: string;
}

export class AskedTexts {
  private readonly kept = new LRUCache<string, AskedV2>({
    max: 1000,
    maxSize: 16 * 2 ** 20,
    sizeCalculation: (_, key) => 16 * key.length + 1,
  });

  /** Errors: 400. */
  by({ query, form, inPath }: Texts): AskedV2 {
    const raw = withoutCredentials([inPath && parametersInPath(inPath), query, form].filter(Boolean).join('&'));
    const cached = this.kept.get(raw);
    if (cached) return cached;
    const parsed = parseQueryV2(raw, form === undefined ? limits.queryBytes : expressionLimits.formBytes);
    const asked: AskedV2 = { query: parsed, statements: new Map(), version: -1 };
    this.kept.set(raw, asked);
    return asked;
  }
}
