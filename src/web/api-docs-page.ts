/**
 * The API as pages: a list of what there is, and for each of these its operations, fields and a form that tries a GET.
 */
import type {
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Schema,
} from '../modules/openapi/openapi.service.js';
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

const frame = { path: '/api/docs', styles: ['documentation.css', 'api-docs.css'] };

export const apiDocsPage = ({ tags }: OpenApiDocument, site: Site): string =>
  page(
    { ...frame, title: 'API · Worktrack' },
    site,
    html`<header>
<h1>API</h1>
<p class="lead">What can be asked of this service, for programs at <a href="${site.root}/api/openapi.json">/api/openapi.json</a>.</p>
</header>
<ul class="cards">
${tags.map(({ name, description }) => html`<li><a href="${site.root}/api/docs/${name}">${name}</a><p>${description}</p></li>\n`)}</ul>`,
  );

interface Shown {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

/** Undefined: there is nothing of that name. */
export function apiTagPage(document: OpenApiDocument, name: string, site: Site): string | undefined {
  const tag = document.tags.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!tag) return undefined;
  const shown = operationsOf(document, tag.name);
  const schemas = schemasOf(document, shown);
  const own = new Set(schemas.map(([schemaName]) => schemaName));
  const linkOf: LinkOf = (schemaName) => {
    const other = pagesOfSchemas(document).get(schemaName);
    if (own.has(schemaName)) return `#${schemaName}`;
    return other === undefined ? undefined : `${site.root}/api/docs/${other}#${schemaName}`;
  };
  return page(
    { ...frame, title: `${tag.name} · API · Worktrack`, scripts: ['api-docs.js'], isWide: true },
    site,
    html`<header>
<p class="kind"><a href="${site.root}/api/docs">API</a></p>
<h1>${tag.name}</h1>
<p class="lead">${tag.description}</p>
</header>
<div id="page" class="api" data-root="${site.root}">
<section aria-labelledby="operations"><h2 id="operations">Operations</h2>
${shown.map((one) => operationPart(one, linkOf))}</section>
${schemas.map(([schemaName, schema]) => schemaPart(schemaName, schema))}
${parametersPart(shown)}</div>`,
  );
}

function operationsOf({ paths, components }: OpenApiDocument, tag: string): Shown[] {
  const resolved = (one: Parameter | Reference): Parameter =>
    '$ref' in one ? (components.parameters![nameIn(one)] as Parameter) : one;
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      if (!operation?.tags.includes(tag)) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved);
      return [{ path, method, operation, parameters }];
    }),
  );
}

const nameIn = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** Where a schema is shown; undefined: nowhere. */
type LinkOf = (schemaName: string) => string | undefined;

function operationPart({ path, method, operation, parameters }: Shown, linkOf: LinkOf): Html {
  const { operationId, summary, deprecated } = operation;
  const tried = parameters.filter((one) => one.in !== 'header');
  const isTried = method === 'get' && !path.startsWith('/api/docs');
  return html`<details class="part operation" id="${operationId}"${isTried ? html` data-path="${path}" data-tried="${JSON.stringify(tried.map(fieldOf))}"` : undefined}>
<summary><span class="method">${method.toUpperCase()}</span> <code>${path}</code> <span class="gist">${deprecated ? 'Deprecated. ' : ''}${summary}</span></summary>
<p>Id: <code>${operationId}</code>${parameters.length > 0 ? html`. Parameters: ${parameters.map(parameterLink)}` : undefined}</p>
${bodyPart(operation, linkOf)}<p>Answers: ${Object.keys(operation.responses).map((status) => html`<code>${status}</code> `)}</p>
</details>
`;
}

/** What the form of the page needs to know. */
const fieldOf = ({ name, in: place, schema, required }: Parameter) => ({
  name,
  in: place,
  required: required ?? false,
  type: schema.type,
  choices: schema.enum,
});

const parameterLink = ({ name, in: place }: Parameter): Html =>
  html`<a href="#${place}-${name}"><code>${name}</code></a> `;

function bodyPart({ requestBody }: Operation, linkOf: LinkOf): Html | undefined {
  const names = new Set(JSON.stringify(requestBody ?? {}).match(/(?<=#\/components\/schemas\/)\w+/g));
  if (names.size === 0) return undefined;
  const links = [...names].map((name) => schemaLink(name, linkOf(name)));
  return html`<p>Body: ${isList(requestBody) ? 'list of ' : undefined}${links}</p>
`;
}

const isList = (body: Operation['requestBody']): boolean =>
  body !== undefined && 'content' in body && Object.values(body.content)[0]!.schema.type === 'array';

const schemaLink = (name: string, address: string | undefined): Html =>
  address === undefined ? html`<code>${name}</code> ` : html`<a href="${address}"><code>${name}</code></a> `;

/** What the operations send and answer, items of collections aside: these have pages of their own. */
function schemasOf({ components }: OpenApiDocument, shown: readonly Shown[]): [string, Schema][] {
  const used = shown.filter(({ path }) => !/\{id\}\/./.test(path)).map(({ operation }) => JSON.stringify(operation));
  const names = new Set(
    used.flatMap((text) => text.match(/(?<=#\/components\/(?:schemas|responses)\/)[A-Z]\w+/g) ?? []),
  );
  const schemas = components.schemas as Record<string, Schema>;
  return [...names].flatMap((name) => (schemas[name]?.properties ? [[name, schemas[name]] as [string, Schema]] : []));
}

const kept = new WeakMap<OpenApiDocument, ReadonlyMap<string, string>>();

/** The tag whose page shows a schema, by its name. */
function pagesOfSchemas(document: OpenApiDocument): ReadonlyMap<string, string> {
  const pages =
    kept.get(document) ??
    new Map(
      document.tags.flatMap(({ name: tag }) =>
        schemasOf(document, operationsOf(document, tag)).map(([name]) => [name, tag] as const),
      ),
    );
  kept.set(document, pages);
  return pages;
}

const schemaPart = (name: string, { properties, description }: Schema): Html =>
  html`<section aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
${description ? html`<p>${String(description)}</p>` : undefined}
<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
<tbody>
${Object.entries(properties as Record<string, Schema>).map(
  ([field, schema]) =>
    html`<tr><td><code>${field}</code></td><td>${typeText(schema)}</td><td>${schema.deprecated ? 'Deprecated. ' : ''}${String(schema.description ?? '')}</td></tr>\n`,
)}</tbody></table></section>
`;

/** A type in a few words. */
export function typeText(schema: Schema): string {
  if (typeof schema.$ref === 'string') return nameIn({ $ref: schema.$ref });
  if ('const' in schema) return JSON.stringify(schema.const);
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (options) return options.map(typeText).join(' or ');
  const choices = schema.enum as readonly unknown[] | undefined;
  if (choices) return choices.map(String).join(', ');
  const types = [schema.type ?? 'any'].flat() as string[];
  return types.map((type) => (type === 'array' ? `list of ${typeText(schema.items as Schema)}` : type)).join(' or ');
}

function parametersPart(shown: readonly Shown[]): Html {
  const all = new Map(shown.flatMap(({ parameters }) => parameters).map((one) => [`${one.in}-${one.name}`, one]));
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
<tbody>
${[...all].map(
  ([id, { name, in: place, schema, description }]) =>
    html`<tr id="${id}"><td><code>${name}</code></td><td>${place}</td><td>${typeText(schema)}</td><td>${description}</td></tr>\n`,
)}</tbody></table></section>
`;
}
