/** Custom fields of all twelve types, on several kinds and processes, with values. */
import type { DemoPlan } from './plan.js';
import type { DemoItem } from './work.js';
import type { DemoRow, DemoWriter } from './writer.js';

type ValueOf = (writer: DemoWriter, item: { id: number; release: number }) => unknown;

interface FieldWords {
  name: string;
  type: string;
  options?: string[];
  value: ValueOf;
}

const browsers = ['Firefox', 'Chrome', 'Safari'];
const risks = ['High', 'Medium', 'Low'];
const platforms = ['iOS', 'Android', 'Web'];

const catalogue = {
  risk: { name: 'Risk', type: 'DropDown', options: risks, value: (writer) => writer.pick(risks) },
  browser: { name: 'Browser', type: 'DropDown', options: browsers, value: (writer) => writer.pick(browsers) },
  origin: {
    name: 'Origin',
    type: 'DropDown',
    options: ['Manual QA', 'Customer', 'Monitoring'],
    value: (writer) => writer.pick(['Manual QA', 'Customer', 'Monitoring']),
  },
  notes: { name: 'Notes', type: 'Text', value: (_, { id }) => `note of ${id}: "quoted" & <tagged>` },
  releaseNotes: { name: 'Release Notes', type: 'RichText', value: (_, { id }) => `<p>News of item ${id}</p>` },
  ready: { name: 'Ready', type: 'CheckBox', value: (writer) => writer.chance(50) },
  due: { name: 'Due', type: 'Date', value: (writer) => writer.midnight(writer.random(60)).toISOString() },
  score: { name: 'Score', type: 'Number', value: (writer) => writer.random(1000) / 10 },
  budget: { name: 'Budget', type: 'Money', value: (writer) => 1000 + writer.random(50_000) },
  spec: {
    name: 'Spec',
    type: 'URL',
    value: (_, { id }) => ({ Url: `https://docs.example.com/${id}?a=1&b=2`, Label: 'The specification' }),
  },
  ticket: { name: 'Ticket', type: 'TemplatedURL', value: (_, { id }) => `T-${id}` },
  customer: { name: 'Customer', type: 'Entity', value: (_, { release }) => ({ Id: release, Kind: 'Release' }) },
  platforms: { name: 'Platforms', type: 'MultipleSelectionList', options: platforms, value: () => 'iOS,Web' },
  affects: { name: 'Affects', type: 'MultipleEntities', value: (_, { id }) => `${id} userstory,${id} bug` },
} satisfies Record<string, FieldWords>;

/** Which fields a kind has in a process (0: everywhere). */
const uses: [process: number, entityTypeId: number, fields: FieldWords[]][] = [
  [3, 4, Object.values(catalogue).filter((field) => !['Browser', 'Origin'].includes(field.name))],
  [2, 4, [catalogue.risk, catalogue.releaseNotes, catalogue.score]],
  [1, 4, [catalogue.risk, catalogue.releaseNotes]],
  [3, 8, [catalogue.browser, catalogue.origin, catalogue.due]],
  [2, 8, [catalogue.browser, catalogue.origin]],
  [1, 8, [catalogue.origin]],
  [3, 1, [catalogue.budget, catalogue.spec]],
  [3, 9, [catalogue.risk, catalogue.customer]],
  [0, 6, [catalogue.notes, catalogue.ready]],
  [0, 23, [catalogue.notes]],
];

export function addFields(writer: DemoWriter, { plan, work }: { plan: DemoPlan; work: readonly DemoItem[] }): void {
  for (const [process, kind, fields] of uses) {
    for (const [at, field] of fields.entries()) {
      writer.add('custom_field', {
        name: field.name,
        field_type: field.type,
        value: field.options?.join('\r\n') ?? null,
        entity_type_id: kind,
        process_id: process || null,
        numeric_priority: at + 1,
        required: false,
        enabled_for_filter: true,
        is_system: false,
        description: null,
      });
    }
  }
  const rows = new Map(writer.rows('general').map((row) => [row.id as number, row]));
  for (const item of work)
    fillIn(writer, rows.get(item.id)!, {
      process: item.project.words.process,
      kind: item.kind,
      release: item.project.releases[0]!,
    });
  for (const project of plan.projects)
    fillIn(writer, rows.get(project.id)!, { process: project.words.process, kind: 1, release: project.releases[0]! });
  for (const row of writer.rows('general_user'))
    if (row.kind === 'User') fillIn(writer, row, { process: 0, kind: 6, release: 0 });
}

interface Where {
  process: number;
  kind: number;
  release: number;
}

function fillIn(writer: DemoWriter, row: DemoRow, { process, kind, release }: Where): void {
  const fields = uses.find(([inProcess, ofKind]) => inProcess === process && ofKind === kind)?.[2] ?? [];
  const values: Record<string, unknown> = {};
  for (const field of fields)
    if (writer.chance(60)) values[field.name] = field.value(writer, { id: row.id as number, release });
  row.custom_values = values;
}
