/**
 * `npm run migration -- add Risk`: writes the migration of an entity that a module serves and no migration knows yet,
 * lists it, and says what is to be looked at. It reads the entities alone and needs no database.
 */
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDataSource } from '../build/database/data-source.js';
import { migrations } from '../build/database/migrations/migrations.js';
import { buildModel } from '../build/model/build-model.js';
import { recordedTables } from '../build/model/recorded-tables.js';
import { entities, resourceEntities } from '../build/modules/entities.js';

const folder = new URL('../src/database/migrations/', import.meta.url);
const usage = 'npm run migration -- add <Kind> [--like Bug|Impediment|Request] [--number <13 digits>]';

const [command, name, ...options] = process.argv.slice(2);
const areOptions = options.every((one, at) => (at % 2 === 0 ? /^--(?:like|number)$/.test(one) : one !== ''));
if (command !== 'add' || name === undefined || options.length % 2 === 1 || !areOptions) fail(usage);
const option = (word) => options[options.indexOf(word) + 1 || options.length];

const model = buildModel(resourceEntities);
const resource = model.resources.find((one) => one.name === name) ?? fail(`No module serves an entity ${name}.`);
const source = createDataSource('postgres://localhost/none', { timeZone: 'UTC', entities });
await source.buildMetadatas();
const metadata = source.getMetadata(resource.entity);

/** Above those of later versions, which a database may meet after this one. */
const last = Math.max(...migrations.map((one) => Number(one.name.slice(-13))));
const number = Number(option('--number') ?? Math.max(last + 1, 1_800_000_000_001));
if (!(number > last)) fail(`The number of a migration is above ${last}.`);
const className = `${resource.collection}${number}`;
const file = `${words(resource.collection).join('-')}.ts`;
if (existsSync(new URL(file, folder))) fail(`${file} is there already.`);

const { text, review } = resource.isGeneral ? kindMigration() : tableMigration();
writeFileSync(new URL(file, folder), text);
list();
process.stdout.write(
  `src/database/migrations/${file} is written and listed. Read it before it is run:\n${review.map((one) => `- ${one}\n`).join('')}`,
);

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

/** `HazardKind` as hazard, kind. */
function words(text) {
  return text
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(' ');
}

/** A kind of Generals: what its class has that no other kind has. */
function kindMigration() {
  const likes = { Bug: 8, Impediment: 16, Request: 17 };
  const id = resource.settings.entityTypeId ?? fail(`${name} needs a number of its own: @ChildEntity(1001).`);
  const isWork = resource.isA(model.resource('Assignable'));
  const isInFeature = resource.fields.some((field) => field.kind === 'reference' && field.column === 'feature_id');
  const like = option('--like') ?? (isWork ? (isInFeature ? 'Bug' : 'Request') : 'Impediment');
  if (!likes[like]) fail(usage);
  const others = model.resources.filter((one) => one.table === resource.table && !one.itemNames.includes(name));
  const taken = others.find((one) => one.settings.entityTypeId === id);
  if (taken) fail(`${id} is the number of ${taken.name}.`);
  const theirs = new Set(others.flatMap(columnsOf));
  const own = new Set(columnsOf(resource).filter((column) => !theirs.has(column)));
  const table = source.getMetadata(resource.root.entity);
  const columns = table.columns.filter(({ databaseName }) => own.has(databaseName));
  const names = columns.map(({ databaseName }) => databaseName);
  const recorded = names.filter((column) => recordedTables(model).get(resource.table).columns.includes(column));
  const keys = table.foreignKeys.filter(({ columns: [column] }) => columns.includes(column));
  const indexes = keys.map(({ columns: [{ databaseName: column }] }) => indexOfKind(column));

  const up = [
    ...(columns.length > 0
      ? [`alter table general ${columns.map((one) => `add column ${columnSql(one, true)}`).join(', ')}`]
      : []),
    ...keys.map((key) => `alter table general add ${keySql(key)}`),
    ...(isWork ? names.map((column) => `call add_to_related_assignables('${column}')`) : []),
    ...(recorded.length > 0 ? [`call record_also('general', '${recorded.join(' ')}')`] : []),
  ];
  const down = [
    ...(isWork ? names.map((column) => `call take_from_related_assignables('${column}')`) : []),
    ...(recorded.length > 0 ? [`call record_no_more('general', '${recorded.join(' ')}')`] : []),
    ...(columns.length > 0 ? [`alter table general ${names.map((column) => `drop column ${column}`).join(', ')}`] : []),
  ];
  const isPlain = up.length === 0;
  const body = isPlain
    ? ''
    : `
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
${queries(up)}
  }

  override async down(runner: QueryRunner): Promise<void> {
${queries(down)}
    await super.down(runner);
  }
`;
  const head = [
    ...(isPlain ? [] : ["import type { QueryRunner } from 'typeorm';"]),
    ...(indexes.length > 0 ? ["import { IndexMigration } from './index-migration.js';"] : []),
    "import { KindMigration } from './kind-migration.js';",
  ];
  return {
    text: `/** ${resource.settings.description || `${name} is a kind of item.`} */
${head.join('\n')}

export class ${className} extends KindMigration {
  name = '${className}';
  kind = { id: ${id}, name: '${name}', like: ${likes[like]} } as const;
${body}}
${indexes.length > 0 ? indexMigration(indexes) : ''}`,
    review: [
      `${name} begins with the states, priorities and rights of roles that ${like} has in each process, and is summed up as that one; --like chooses another one.`,
      ...(columns.length > 0
        ? [
            `What every ${name} must have is a check of the migration, beside "requires" of the entity: ${names.join(', ')}.`,
          ]
        : []),
      ...indexes.map((index) => `${index.name} is for the lists by what it refers to.`),
      ...(resource.fields.some(({ target }) => target?.name === `${name}SimpleHistory`)
        ? []
        : [
            `The database keeps histories of ${name}, which nobody can read without @Collection('${name}SimpleHistory', …).`,
          ]),
    ],
  };
}

/** Whoever lists the kind by what it refers to needs it in that order. */
function indexOfKind(column) {
  const isListed = model.resources.some(({ fields }) =>
    fields.some(({ kind, target, via }) => kind === 'collection' && target === resource && via.column === column),
  );
  const on = isListed ? `general (${column}, entity_type_id, id) include (delete_date)` : `general (${column}, id)`;
  return { name: `ix_general_${column.replace(/_id$/, '')}`, on: `${on} where ${column} is not null` };
}

function indexMigration(indexes) {
  return `
export class ${resource.collection}Indexes${number + 1} extends IndexMigration {
  name = '${resource.collection}Indexes${number + 1}';
  indexes = [
${indexes.map(({ name: index, on }) => `    { name: '${index}', on: '${on}' },`).join('\n')}
  ];
}
`;
}

/** A table of its own. */
function tableMigration() {
  const { tableName: table, columns, foreignKeys, uniques } = metadata;
  if (model.resources.some((one) => one !== resource && one.table === table))
    fail(`${name} shares the table ${table}.`);
  if (resource.settings.isView) fail(`${name} is a view, which nothing but its own SQL tells.`);
  const key = source.namingStrategy.primaryKeyName(table, ['id']);
  const lines = [
    ...columns.map((column) => columnSql(column, false)),
    `constraint "${key}" primary key (id)`,
    ...foreignKeys.map(keySql),
    ...uniques.map((one) => `constraint "${one.name}" unique (${one.columns.map(({ databaseName }) => databaseName)})`),
  ];
  const tidied = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02';
  const record = recordedTables(model).get(table);
  const up = [
    `create table ${table} (\n  ${lines.join(',\n  ')}\n) with (${tidied})`,
    ...foreignKeys.map(
      ({ columns: [{ databaseName: column }] }) =>
        `create index ix_${table}_${column.replace(/_id$/, '')} on ${table} (${column})`,
    ),
    ...(record ? [recordSql(table, record)] : []),
  ];
  const events = ['insert', 'update', 'delete'].map((event) => `record_${table}_${event}`);
  const down = [`drop table ${table}`, ...(record ? [`drop function ${events.join(', ')}`] : [])];
  return {
    text: `/** ${resource.settings.description || `A table of ${resource.collection}.`} */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
${queries(up)}
  }

  async down(runner: QueryRunner): Promise<void> {
${queries(down)}
  }
}
`,
    review: [
      'Each reference has an index; one that nobody lists by and whose target is never deleted needs none.',
      'Bounds of values and what must be unique are checks ("ck_…") and indexes ("ix_…") of the migration, each with a line in test/schema-differences.txt.',
      record ? `Recorded are ${record.columns.join(', ')}.` : 'Nothing of it is recorded, as the entity says.',
    ],
  };
}

function recordSql(table, { columns, project, author, kind, resource: recordedName }) {
  const through = /where g\.id = r\.(\w+)\)$/.exec(project ?? '');
  const options = [
    ...(recordedName ===
    `'${words(name)
      .map((word) => word[0].toUpperCase() + word.slice(1))
      .join('')}'`
      ? []
      : [`resource => ${literal(recordedName)}`]),
    ...(through ? [`general => '${through[1]}'`] : project ? [`project => '${project}'`] : []),
    ...(author ? [`author => '${author}'`] : []),
    ...(kind ? ['is_restored => true'] : []),
  ];
  return `call record_changes_of(${[`'${table}'`, `'${columns.join(' ')}'`, ...options].join(', ')})`;
}

function literal(value) {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Those of its fields, and those that only the service knows; TypeORM gives keys of one kind to all others. */
function columnsOf({ fields, hiddenReferences, entity }) {
  const plain = source.getMetadata(entity).columns.filter(({ relationMetadata }) => !relationMetadata);
  return [
    ...plain.map(({ databaseName }) => databaseName),
    ...[...fields, ...hiddenReferences].flatMap(({ column }) => column ?? []),
  ];
}

/** As TypeORM compares it with the database; rows of other kinds have nothing in columns of a shared table. */
function columnSql(column, isShared) {
  const { databaseName, collation, isGenerated, isNullable, default: initial } = column;
  const type = source.driver.createFullType({
    ...column,
    type: source.driver.normalizeType(column),
    name: databaseName,
  });
  return [
    databaseName,
    type.toLowerCase(),
    ...(isGenerated ? ['generated by default as identity (maxvalue 9007199254740991)'] : []),
    ...(collation ? [`collate "${collation}"`] : []),
    ...(isShared || isNullable || isGenerated ? [] : ['not null']),
    ...(initial === undefined ? [] : [`default ${source.driver.normalizeDefault(column)}`]),
  ].join(' ');
}

function keySql({ name: key, columns: [column], referencedTablePath: table, onDelete }) {
  const rule = onDelete && onDelete !== 'NO ACTION' ? ` on delete ${onDelete.toLowerCase()}` : '';
  return `constraint "${key}" foreign key (${column.databaseName}) references ${table} (id)${rule}`;
}

/** Each as a statement of its own, in the quotes that it needs least signs for. */
function queries(statements) {
  return statements
    .map((statement) => {
      const indented = statement.replaceAll('\n', '\n      ');
      const quoted =
        indented.includes('\n') || (indented.includes("'") && indented.includes('"'))
          ? `\`${indented}\``
          : indented.includes("'")
            ? `"${indented}"`
            : `'${indented}'`;
      return `    await runner.query(${quoted});`;
    })
    .join('\n');
}

/** At the end of the list; the formatter brings the import to its place. */
function list() {
  const place = new URL('migrations.ts', folder);
  const names = text.match(/(?<=^export class )\w+/gm);
  const imported = `import { ${names.join(', ')} } from './${file.replace(/\.ts$/, '.js')}';\n`;
  const listed = readFileSync(place, 'utf8')
    .replace(/^import [^;]*;\n/m, (first) => first + imported)
    .replace(/\];\s*$/, `${names.map((one) => `  ${one},\n`).join('')}];\n`);
  writeFileSync(place, listed);
  // Indexes are of the migrations alone, at the end of what these have beside the entities.
  const differences = new URL('../test/schema-differences.txt', import.meta.url);
  const indexes = [...new Set(text.match(/\bix_\w+/g))].map((index) => `DROP INDEX "${index}"\n`);
  writeFileSync(differences, readFileSync(differences, 'utf8').replace(/\n*$/, '\n') + indexes.join(''));
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  const written = [place, new URL(file, folder)].map((one) => fileURLToPath(one));
  const { status, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...written], { encoding: 'utf8' });
  if (status !== 0) fail(stderr);
}
