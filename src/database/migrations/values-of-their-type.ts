/** A value of a custom field is of the type that the field has where its entity lies; others had been left over. */
import { RowsMigration } from './rows-migration.js';
import { readSql } from './sql-files.js';

interface Place {
  table: string;
  /** The kind of a row `t`, and the process its custom fields are defined in. */
  kind: string;
  process: string;
  /** The resource that it is recorded as, and the project. */
  resource: string;
  project: string;
}

const processOf = (project: string): string => `(select p.process_id from general p where p.id = ${project})`;
const projectOfTime = 'coalesce(t.project_id, (select a.project_id from general a where a.id = t.assignable_id))';

const items: Place = {
  table: 'general',
  kind: 't.entity_type_id',
  process: `case when t.entity_type_id = 1 then t.process_id else ${processOf('t.project_id')} end`,
  resource: '(select y.name from entity_type y where y.id = t.entity_type_id)',
  project: 'case when t.entity_type_id = 1 then t.id else t.project_id end',
};
const times: Place = {
  table: 'time',
  kind: '7',
  process: processOf(projectOfTime),
  resource: "'Time'",
  project: 't.project_id',
};
const people: Place = {
  table: 'general_user',
  kind: "case t.kind when 'User' then 6 when 'Requester' then 18 end",
  process: 'null::bigint',
  resource: 't.kind',
  project: 'null::bigint',
};

abstract class ValuesOfTheirType extends RowsMigration {
  file = '0.3/values-of-their-type.sql';
  override readonly key = ['id'];
  override readonly what = 'values of custom fields';
  protected abstract readonly place: Place;

  protected override get bytes(): string {
    return `(select octet_length(t.custom_values::text) from "${this.table}" t where t.id = listed.id)`;
  }

  override get table(): string {
    return this.place.table;
  }

  protected override get statements(): string[] {
    const meant = (word: string): string => this.place[word as keyof Place];
    const text = readSql(this.file).replace(/(?<!:):(table|kind|process|resource|project)\b/g, (_, word) =>
      meant(word),
    );
    const [pointing, ...statements] = text.trim().split(/;\n\n/);
    return statements.map((statement) => `${pointing},\n${statement}`);
  }
}

export class ValuesOfItems1700000000130 extends ValuesOfTheirType {
  name = 'ValuesOfItems1700000000130';
  protected readonly place = items;
}

export class ValuesOfTimes1700000000131 extends ValuesOfTheirType {
  name = 'ValuesOfTimes1700000000131';
  protected readonly place = times;
}

export class ValuesOfPeople1700000000132 extends ValuesOfTheirType {
  name = 'ValuesOfPeople1700000000132';
  protected readonly place = people;
}
