/** The methods of addresses, for those who ask by another one: 405 names them. */
import { methodNotAllowed, unknownRoute } from '../errors.js';
import { takesItems } from '../model/collections.js';
import type { ResourceType } from '../model/model.js';

export const reads: readonly string[] = ['GET', 'HEAD'];

/** Below `/api`, but for those of collections; a slash at the end, and doubled ones, are gone. */
const ofApi: readonly { at: RegExp; methods: readonly string[] }[] = [
  { at: /^\/api\/v1\/(search|context|users\/loggeduser|meta|(index|context)\/meta)$/i, methods: reads },
  {
    at: /^\/api\/(deleteditems\/v1\/(projects|users)|deletedprojects\/v1|openapi\.json|docs(\/[^/]+)?)$/i,
    methods: reads,
  },
  { at: /^\/api\/v1\/authentication$/i, methods: [...reads, 'POST'] },
  { at: /^\/api\/(?:history\/)?v2\/[^/]+(\/[^/]+)?$/i, methods: [...reads, 'POST'] },
  {
    at: /^\/api\/(deleteditems\/v1\/(projects|users)\/[^/]+\/restore|v1\/undelete(\/bulk)?|login\/validate)$/i,
    methods: ['POST'],
  },
  { at: /^\/api\/v1\/users\/loggeduser\/password$/i, methods: ['POST'] },
];

export const methodsBelowApi = (path: string): readonly string[] | undefined =>
  ofApi.find(({ at }) => at.test(path))?.methods;

/** 405 where the address, whose segments behind the collection these are, takes other methods; 404 where it is none. */
export function mustTake(resource: ResourceType, rest: readonly string[], { method, url }: Asked): void {
  const path = url.split('?', 1)[0]!;
  const methods = methodsBelowApi(path) ?? methodsOf(resource, rest);
  if (methods.length === 0) throw unknownRoute(path);
  if (!methods.includes(method)) throw methodNotAllowed(method, methods);
}

interface Asked {
  readonly method: string;
  readonly url: string;
}

/** What the segments behind a collection stand for. None: nothing is there. */
function methodsOf(resource: ResourceType, rest: readonly string[]): readonly string[] {
  const { update, delete: remove } = resource.settings.operations;
  const [first, collection] = rest;
  const word = rest.length === 1 ? methodsOfWord(resource, first!) : undefined;
  if (word) return word;
  const field = collection === undefined ? undefined : resource.field(collection);
  const isCollection = field?.kind === 'collection';
  const posts = rest.length === 0 ? mayPost(resource) : rest.length === 1 && update;
  const adds = rest.length === 2 && isCollection && takesItems(resource, field);
  const takes = (rest.length === 2 || rest.length === 3) && isCollection && field.canRemove;
  const deletes = rest.length === 1 ? remove : takes;
  return [...(rest.length < 3 ? reads : []), ...(posts || adds ? ['POST'] : []), ...(deletes ? ['DELETE'] : [])];
}

/** Of a word where an Id stands elsewhere; undefined for one that means nothing there. */
function methodsOfWord(resource: ResourceType, word: string): readonly string[] | undefined {
  switch (word.toLowerCase()) {
    case 'meta':
      return reads;
    case 'bulk':
      return methodsOfBulk(resource);
    default:
      return undefined;
  }
}

/** What is made but never changed, such as access tokens, is made one at a time. */
function methodsOfBulk({ settings: { operations } }: ResourceType): readonly string[] | undefined {
  const methods = [...(operations.update ? ['POST'] : []), ...(operations.delete ? ['DELETE'] : [])];
  return methods.length > 0 ? methods : undefined;
}

const mayPost = ({ settings: { operations } }: ResourceType): boolean => operations.create || operations.update;

/** Pages for people, and what stands beside them. */
const ofPages: readonly { at: RegExp; methods: readonly string[] }[] = [
  {
    at: /^\/(query(\/conditions)?|profile|administration(\/.+)?|entity\/[^/]+|documentation(\/(pictures\/)?[^/]+)?)?$/,
    methods: reads,
  },
  { at: /^\/(health\/(live|ready)|login\/sso(\/callback)?|assets\/[^/]+\/[^/]+)$/, methods: reads },
  { at: /^\/login$/, methods: [...reads, 'POST'] },
  { at: /^\/logout$/, methods: ['POST'] },
];

/** Undefined where there is no such page, and for a method that the page knows. */
export function methodsOfPage(path: string, method: string): readonly string[] | undefined {
  const methods = ofPages.find(({ at }) => at.test(path))?.methods;
  return methods?.includes(method) ? undefined : methods;
}
