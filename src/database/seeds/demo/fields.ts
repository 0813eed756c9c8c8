/** Custom fields of all twelve types, on several kinds and processes, with values. */
import type { DemoItem } from './item.js';
import type { People } from './people.js';
import type { DemoPlan } from './plan.js';
import type { DemoRow, DemoWriter } from './writer.js';

export interface Described {
  plan: DemoPlan;
  work: readonly DemoItem[];
  people: People;
}

export function addFields(writer: DemoWriter, { plan, work, people }: Described): void {
  for (const [process, kind, fields] of uses) addDefinitions(writer, { process, kind }, fields);
  const idsOf = (kind: number) => work.filter((item) => item.kind === kind).map((item) => item.id);
  const pool = { stories: idsOf(4), bugs: idsOf(8), requesters: people.requesters };
  const rows = new Map(writer.rows('general').map((row) => [row.id as number, row]));
  for (const { id, kind, project } of work) {
    fillIn(writer, rows.get(id)!, { process: project.words.process, kind }, pool);
  }
  for (const { id, words } of plan.projects) fillIn(writer, rows.get(id)!, { process: words.process, kind: 1 }, pool);
  for (const team of plan.teams) fillIn(writer, rows.get(team)!, { process: 0, kind: 23 }, pool);
  for (const row of writer.rows('general_user')) {
    if (row.kind === 'User') fillIn(writer, row, { process: 0, kind: 6 }, pool);
  }
}

/** What values may refer to. */
interface Pool {
  stories: number[];
  bugs: number[];
  requesters: number[];
}

type ValueOf = (writer: DemoWriter, id: number, pool: Pool) => unknown;

interface FieldWords {
  name: string;
  type: string;
  options?: string[];
  /** Of a templated link: where it leads, with the value in place of `{0}`. */
  template?: string;
  value: ValueOf;
}

const browsers = ['Firefox', 'Chrome', 'Safari'];
const origins = ['Manual QA', 'Customer', 'Monitoring'];
const risks = ['High', 'Medium', 'Low'];
const platforms = ['iOS', 'Android', 'Web'];
const oneOf =
  (options: string[]): ValueOf =>
  (writer) =>
    writer.pick(options);

const catalogue: Record<string, FieldWords> = {
  risk: { name: 'Risk', type: 'DropDown', options: risks, value: oneOf(risks) },
  browser: { name: 'Browser', type: 'DropDown', options: browsers, value: oneOf(browsers) },
  origin: { name: 'Origin', type: 'DropDown', options: origins, value: oneOf(origins) },
  notes: { name: 'Notes', type: 'Text', value: (_, id) => `note of ${id}: "quoted" & <tagged>` },
  releaseNotes: { name: 'Release Notes', type: 'RichText', value: (_, id) => `<p>News of item ${id}</p>` },
  ready: { name: 'Ready', type: 'CheckBox', value: (writer) => writer.chance(50) },
  due: { name: 'Due', type: 'Date', value: (writer) => writer.midnight(writer.random(60)).toISOString() },
  score: { name: 'Score', type: 'Number', value: (writer) => writer.random(1000) / 10 },
  budget: { name: 'Budget', type: 'Money', value: (writer) => 1000 + writer.random(50_000) },
  spec: {
    name: 'Spec',
    type: 'URL',
    value: (_, id) => ({ Url: `https://docs.example.com/${id}?a=1&b=2`, Label: 'The specification' }),
  },
  ticket: {
    name: 'Ticket',
    type: 'TemplatedURL',
    template: 'https://tickets.example.com/{0}',
    value: (_, id) => `T-${id}`,
  },
  customer: {
    name: 'Customer',
    type: 'Entity',
    value: (writer, _, { requesters }) => ({ Id: writer.pick(requesters), Kind: 'Requester' }),
  },
  platforms: {
    name: 'Platforms',
    type: 'MultipleSelectionList',
    options: platforms,
    value: (writer) => platforms.filter((one) => one === 'Web' || writer.chance(50)).join(','),
  },
  affects: {
    name: 'Affects',
    type: 'MultipleEntities',
    value: (writer, _, { stories, bugs }) => `${writer.pick(stories)} userstory,${writer.pick(bugs)} bug`,
  },
};

const named = (...names: string[]): FieldWords[] => names.map((name) => catalogue[name]!);

/** Which fields a kind has in a process (0: everywhere). */
const uses: [process: number, entityTypeId: number, fields: FieldWords[]][] = [
  [3, 4, Object.values(catalogue).filter(({ name }) => !['Browser', 'Origin'].includes(name))],
  [2, 4, named('risk', 'releaseNotes', 'score')],
  [1, 4, named('risk', 'releaseNotes')],
  [3, 5, named('ready', 'notes')],
  [3, 8, named('browser', 'origin', 'due')],
  [2, 8, named('browser', 'origin')],
  [1, 8, named('origin')],
  [3, 1, named('budget', 'spec')],
  [3, 9, named('risk', 'customer')],
  [1, 17, named('customer', 'platforms')],
  [0, 6, named('notes', 'ready')],
  [0, 23, named('notes')],
];

interface Where {
  process: number;
  kind: number;
}

function addDefinitions(writer: DemoWriter, { process, kind }: Where, fields: readonly FieldWords[]): void {
  for (const [at, field] of fields.entries()) {
    writer.add('custom_field', {
      name: field.name,
      field_type: field.type,
      value: field.options?.join('\r\n') ?? field.template ?? null,
      entity_type_id: kind,
      process_id: process || null,
      entity_field_name: `CustomField${at + 1}`,
      numeric_priority: at + 1,
      required: false,
      enabled_for_filter: true,
      is_system: false,
      description: null,
    });
  }
}

function fillIn(writer: DemoWriter, row: DemoRow, { process, kind }: Where, pool: Pool): void {
  const fields = uses.find(([inProcess, ofKind]) => inProcess === process && ofKind === kind)?.[2] ?? [];
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    if (writer.chance(60)) values[field.name] = field.value(writer, row.id as number, pool);
  }
  row.custom_values = values;
}
