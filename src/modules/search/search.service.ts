/**
 * Finds items by words: their ids by the index of words, then what the caller asked to see of them by the read
 * pipeline.
 */
import { Inject, Injectable } from '@nestjs/common';
import { actorShape } from '../../actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { badRequest, misspeltParameter, tooMuch } from '../../errors.js';
import { Page } from '../../http/answer.js';
import { BaseAddress } from '../../http/base-address.js';
import { Contexts } from '../../http/contexts.js';
import { FreshConfiguration } from '../../http/fresh-configuration.js';
import { type Ask, idAlone, Reads } from '../../http/reads.js';
import { type ApiRequest, queryText } from '../../http/request.js';
import { RequestReads } from '../../http/request-reads.js';
import { ResourceService } from '../../http/resource.service.js';
import { Writes } from '../../http/writes.js';
import { parseId } from '../../model/ids.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import {
  candidates,
  compileSearch,
  compileUnknownLetter,
  readForPhrases,
  type SearchPlan,
} from '../../query/compile/search.js';
import { limits } from '../../query/limits.js';
import type { Condition } from '../../query/meaning.js';
import { isOfVersion1, parameterTexts } from '../../query/parameters.js';
import { Reader, type ReadPool } from '../../query/reader.js';
import { scopeRows } from '../../query/scope.js';
import { resolve } from '../../query/v1/compile-query.js';
import { parseSelection, parseWhere } from '../../query/v1/parse.js';
import type { Query } from '../../query/v1/query.js';
import { resolveWhere } from '../../query/v1/resolve.js';
import { nearest } from '../../texts/near.js';
import { cut } from '../../texts/quoted-text.js';
import { Catalogue } from '../custom-fields/catalogue.js';
import { wordsOf } from './letters.js';
import { databasePattern } from './marks.js';
import { type Match, withMatch } from './match.js';
import { parseSearch, type Term } from './search-text.js';

/** What a search has besides the parameters of lists. */
export const searchParameters = ['q', 'types', 'project'] as const;
type Own = (typeof searchParameters)[number];
type Texts = Map<Own, string>;

/** As with lists, a misspelt name must not find everything. */
function ownParameter(input: string): Own | undefined {
  const named = searchParameters.find((one) => one === input.toLowerCase());
  const near = named || isOfVersion1(input.toLowerCase()) ? undefined : nearest(input, searchParameters);
  if (near) throw misspeltParameter(input, near);
  return named;
}

/** An empty one is as if absent. */
const ownTexts = (query: string): Texts =>
  new Map([...parameterTexts(query, ownParameter, limits.queryBytes)].filter(([, text]) => text !== ''));

/** What is shown unless the caller says what. */
const shown: Query = { ...idAlone, selection: parseSelection({ include: '[Name,EntityType,Project]' }) };

type Row = [
  ...[id: string | null, rank: number, commentId: string, name: string, piece: string | null, tags: string | null],
  ...[isCut: boolean, isReadInPart: boolean],
];

interface Matches {
  readonly all: readonly Match[];
  /** Where there may be texts that were not ranked, or not looked at. */
  readonly warning?: string | undefined;
}

const warnings = {
  cut: `199 worktrack "Only the newest ${candidates} texts that fit are ranked: there may be others."`,
  readInPart: `199 worktrack "A phrase is looked for in the newest ${readForPhrases.texts} texts that have its words: there may be others."`,
} as const;

/** As many as a list of a filter may hold. */
const valuesOfList = 1000;

@Injectable()
export class SearchService extends ResourceService {
  private readonly reader: Reader;

  constructor(
    @Inject(MODEL) model: Model,
    reads: Reads,
    writes: Writes,
    base: BaseAddress,
    contexts: Contexts,
    requestReads: RequestReads,
    @Inject(PRIMARY_POOL) private readonly pool: ReadPool,
    private readonly catalogue: Catalogue,
    private readonly configuration: FreshConfiguration,
    @Inject(CONFIG) config: Config,
  ) {
    super(model, reads, writes, base, contexts, requestReads);
    this.reader = new Reader(config);
  }

  /** Errors: 400 for a text without words and for unknown types. */
  async search(request: ApiRequest): Promise<Page> {
    const texts = ownTexts(queryText(request));
    const terms = parseSearch(texts.get('q') ?? '');
    const ask = await this.askInContext(request);
    if (ask.list) throw badRequest('What is searched comes as JSON or XML.', 'InvalidParameter');
    await this.refuseUnknownLetters(terms, ask);
    const plan = await this.plan(texts, ask);
    const { all, warning } = await this.matches(plan, terms, ask);
    const { take } = plan.page;
    const items = await this.items(all.slice(0, take), terms, ask);
    const glued = items.join(ask.format === 'json' ? ',' : '');
    const hasNext = take > 0 && all.length > take;
    const page = new Page('SearchResults', glued === '' ? [] : [glued], hasNext, '/api/v1/Search/', repeated(texts));
    if (warning) page.warning = warning;
    return page;
  }

  /** To the database a word of such letters is none, and would be left out of what is looked for. */
  private async refuseUnknownLetters(terms: readonly Term[], ask: Ask): Promise<void> {
    const letters = terms.flatMap(({ text }) => wordsOf(text)).join('');
    if (isAscii(letters)) return;
    const [[unknown] = []] = (await this.reader.rows(compileUnknownLetter(letters), ask, ask.pool ?? this.pool)) as [
      unknown: string | null,
    ][];
    if (!unknown) return;
    const code = unknown.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw badRequest(
      `q: ${unknown} (U+${code}) is no letter to the database, whose Unicode is older: it is not searched.`,
      'InvalidParameter',
    );
  }

  private async matches(plan: SearchPlan, terms: readonly Term[], ask: Ask): Promise<Matches> {
    const statement = compileSearch(plan, terms, databasePattern(terms));
    const rows = (await this.reader.rows(statement, ask, ask.pool ?? this.pool)) as Row[];
    const all = rows
      .filter(([id]) => id !== null)
      .map(([id, rank, commentId, name, piece, tags]) => {
        return {
          id: Number(id),
          rank,
          name,
          tags,
          piece: piece && withoutLooseMarks(piece),
          commentId: Number(commentId) || undefined,
        };
      });
    const [isCut, isReadInPart] = rows[0]!.slice(-2);
    return { all, warning: isCut ? warnings.cut : isReadInPart ? warnings.readInPart : undefined };
  }

  /** What may be seen of them by now. */
  private async items(matches: readonly Match[], terms: readonly Term[], ask: Ask): Promise<string[]> {
    const { include, exclude, append } = ask.query.selection;
    const isDefault = !include && !exclude && append.length === 0;
    const ids = matches.map(({ id }) => id);
    const items = await this.reads.manyWithIds(this.general, ids, isDefault ? { ...ask, query: shown } : ask);
    const byId = new Map(matches.map((one) => [one.id, one]));
    return items.map(({ id, text }) => withMatch(text, byId.get(id)!, terms, ask.format));
  }

  /**
   * Which items may be found: of the types, in the projects, as the filter says, and as far as the caller sees them.
   */
  private async plan(texts: Texts, ask: Ask): Promise<SearchPlan> {
    const { query, actor } = ask;
    if (query.order.length > 0)
      throw badRequest('What is searched comes in the order of its rank: leave orderBy out.', 'InvalidParameter');
    const loading = this.configuration.forReading(actor.userId);
    if (loading) await loading;
    const resource = this.typesNamed(texts.get('types'));
    const rows = resolve({ ...idAlone, where: query.where, page: query.page }, resource, this.catalogue);
    const projects = projectsNamed(texts.get('project'));
    const where = projects ? [this.inProjects(projects)] : [];
    const isFiltered = texts.has('types') || query.where !== undefined;
    // What is shown of items is read as for any of them: deleted ones are not there.
    const asked = { ...rows, asksForDeleted: false, where: [...rows.where, ...where] };
    return { ...scopeRows(asked, actorShape(actor)), projects, isFiltered };
  }

  /** Some kinds have no project. */
  private inProjects(ids: readonly number[]): Condition {
    const { filter } = parseWhere(`Project.Id in (${ids.join(',')})`);
    return resolveWhere(filter, this.general, this.catalogue);
  }

  /** All kinds of items, or those that are named: a filter may ask for fields of the kind, or of the base type. */
  private typesNamed(text: string | undefined): ResourceType {
    if (text === undefined) return this.general;
    const types = namesIn(text).map((name) => this.typeNamed(name));
    if (new Set(types).size === 1) return types[0]!;
    return this.general.ofKinds([...new Set(types.flatMap(({ discriminator }) => discriminator?.values ?? []))]);
  }

  private typeNamed(input: string): ResourceType {
    const types = this.general.kindsBelow;
    const isNamed = ({ name, collection }: ResourceType) =>
      [name, collection].some((one) => one.toLowerCase() === input.toLowerCase());
    const named = types.find(isNamed);
    if (named) return named;
    const near = nearest(
      input,
      types.map(({ name }) => name),
    );
    throw badRequest(
      `types: there is no type ${cut(input)} to search.${near ? ` Did you mean ${near}?` : ''}`,
      'InvalidParameter',
    );
  }

  private get general(): ResourceType {
    return this.model.general;
  }
}

/** A comma list, in brackets or not. */
function namesIn(text: string): string[] {
  const names = text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((name) => name.trim());
  if (names.includes(''))
    throw badRequest('types: names of types are needed, such as types=Bug or types=UserStory,Bug.', 'InvalidParameter');
  return names;
}

function projectsNamed(text: string | undefined): number[] | undefined {
  const list = text?.replace(/^\s*\[|\]\s*$/g, '');
  const ids = list?.split(',').map((id) => parseId(id.trim()));
  if (ids && !ids.every((id) => id !== undefined))
    throw badRequest('project: ids are needed, such as project=5 or project=5,7.', 'InvalidParameter');
  if (ids && ids.length > valuesOfList) throw tooMuch('project', `${ids.length} ids are given`, valuesOfList);
  return ids;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** A piece may begin within a letter. */
const withoutLooseMarks = (piece: string): string => piece.replace(/^…\p{M}+/u, '…');

/** The parameters of a search with canonical names, as links repeat them. */
const repeated = (texts: Texts): string =>
  searchParameters
    .flatMap((name) => (texts.has(name) ? `${name}=${encodeURIComponent(texts.get(name)!)}&` : []))
    .join('');
