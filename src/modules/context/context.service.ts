/** What a client works in: the caller, the projects and teams in view, and how their processes are set up. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../actor.js';
import type { DatabasePool } from '../../database/pool.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { badRequest, tooMuch } from '../../errors.js';
import { Contexts } from '../../http/contexts.js';
import { parseId } from '../../model/ids.js';
import type { Parameters } from '../../query/parameters.js';
import type { Tree } from '../../representation/tree.js';
import { version } from '../../runtime/version.js';

const culture: Tree = {
  Name: 'en-US',
  TimePattern: 'h:mm tt',
  ShortDateFormat: 'M/d/yyyy',
  LongDateFormat: 'dddd, MMMM d, yyyy',
  DecimalSeparator: '.',
};

/** All are `*`. */
type Named = readonly number[] | '*' | undefined;

interface Chosen {
  readonly projectIds: Named;
  readonly teamIds: Named;
}

@Injectable()
export class ContextService {
  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    private readonly contexts: Contexts,
  ) {}

  async context(actor: Actor, parameters: Parameters): Promise<Tree> {
    const chosen = await this.chosen(actor, parameters);
    const { projects, teams, processes, fields, user, is_full } = await this.view(actor, chosen);
    return {
      ResourceType: 'Context',
      Acid: await this.contexts.note(actor, { projectIds: idsOf(projects), teamIds: idsOf(teams) }),
      Edition: 'Worktrack',
      Version: version,
      IsFull: is_full,
      AnyProject: projects.length > 0,
      AnyTeam: teams.length > 0,
      // What lies in a project is in view, whether a team has it or not.
      IsNoTeamIncluded: projects.length > 0,
      AppContext: { ProjectContext: { No: projects.length === 0 }, TeamContext: { No: teams.length === 0 } },
      LoggedUser: { ResourceType: 'User', ...user },
      Culture: culture,
      SelectedProjects: { item: 'ProjectInfo', Items: projects.map(projectInfo) },
      SelectedTeams: {
        item: 'TeamInfo',
        Items: teams.map(({ id, name }) => ({ ResourceType: 'TeamInfo', Id: id, Name: name })),
      },
      Processes: { item: 'ProcessInfo', Items: processes.map(processInfo) },
      CustomFields: { item: 'CustomFieldInfo', Items: fields },
    };
  }

  /** What an acid stands for, or what is named. */
  private async chosen(actor: Actor, parameters: Parameters): Promise<Chosen> {
    const acid = parameters.get('acid');
    if (acid !== undefined) return this.contexts.selection(actor, acid);
    const projects = [named(parameters, 'ids'), named(parameters, 'projectIds')];
    const lists = projects.flatMap((ids) => listed(ids) ?? []);
    const projectIds = lists.length > 0 ? lists : projects.find((ids) => ids !== undefined);
    return { projectIds, teamIds: named(parameters, 'teamIds') };
  }

  /** All of it in one statement, so that it waits for the database once and is of one moment. */
  private async view(actor: Actor, { projectIds, teamIds }: Chosen): Promise<View> {
    const [byProjects, byTeams] = [listed(projectIds), listed(teamIds)];
    const [row] = await this.pool.rowsFor<View>(actor.userId, view, [
      actor.userId,
      actor.isAdministrator,
      actor.projectIds,
      actor.teamIds,
      byProjects,
      byTeams,
      projectIds === undefined,
      teamIds === undefined,
    ]);
    return row!;
  }
}

const fieldsWhere = (condition: 'f.process_id = p.id' | 'f.process_id is null'): string =>
  `select coalesce(json_agg(json_build_object('Id', f.id, 'EntityKind', e.name, 'Name', f.name, 'Type', f.field_type,
    'Required', f.required, 'Value', f.value, 'EntityFieldName', f.entity_field_name) order by f.id), '[]')
  from custom_field f join entity_type e on e.id = f.entity_type_id where ${condition}`;

/** Projects are named by their own id or that of something in them, else they are those where the named teams work. */
const projectsInView = `
  select p.id, p.name, p.process_id, c.name as process, g.id as program_id, g.name as program
  from general p left join process c on c.id = p.process_id
  left join general g on g.id = p.program_id and g.delete_date is null
  where p.entity_type_id = 1 and p.delete_date is null and ($2 or p.id = any($3::bigint[]))
    and ($5::bigint[] is null or p.id = any($5)
      or p.id in (select project_id from general where id = any($5) and delete_date is null))
    and (not $7 or $6::bigint[] is null or p.id in (
      select w.project_id from team_project w join general t on t.id = w.team_id and t.delete_date is null
      where w.team_id = any($6)))`;

/** Of the caller's: those that are named, else those that work in the projects where these are named. */
const teamsInView = `
  select id, name from general where entity_type_id = 23 and delete_date is null
    and ($2 or id = any($4::bigint[])) and ($6::bigint[] is null or id = any($6))
    and (not $8 or $5::bigint[] is null
      or id in (select team_id from team_project where project_id in (select id from projects)))`;

const processesInView = `
  select id, name, is_default,
    (select coalesce(json_agg(json_build_object('Name', t.word_key, 'WordKey', t.word_key, 'Value', t.value)
      order by t.id), '[]') from term t where t.process_id = p.id) terms,
    (select coalesce(json_agg(to_jsonb(r.settings) || jsonb_build_object('Name', r.name, 'Description', r.description)
      order by r.id), '[]') from practice r join process_practice l on l.practice_id = r.id where l.process_id = p.id) practices,
    (${fieldsWhere('f.process_id = p.id')}) fields
  from process p where id in (select process_id from projects)`;

/** `fields` are of no process, such as those of users and teams; `is_full`: all that the caller sees is in view. */
const view = `
  with projects as materialized (${projectsInView}), teams as materialized (${teamsInView})
  select (select coalesce(json_agg(p order by p.name, p.id), '[]') from projects p) projects,
    (select coalesce(json_agg(t order by t.name, t.id), '[]') from teams t) teams,
    (select coalesce(json_agg(p order by p.id), '[]') from (${processesInView}) p) processes,
    (${fieldsWhere('f.process_id is null')}) fields,
    (select json_build_object('Id', id, 'FirstName', first_name, 'LastName', last_name, 'Email', email,
      'IsActive', is_active, 'IsAdministrator', is_administrator, 'Kind', kind) from general_user where id = $1) "user",
    $5::bigint[] is null and $6::bigint[] is null or not exists (
      select from general where entity_type_id in (1, 23) and delete_date is null
        and ($2 or id = any($3::bigint[]) or id = any($4::bigint[]))
        and id not in (select id from projects union all select id from teams)) is_full`;

interface NamedRow {
  id: number;
  name: string;
}

interface ProjectRow extends NamedRow {
  process_id: number | null;
  process: string | null;
  program_id: number | null;
  program: string | null;
}

interface ProcessRow extends NamedRow {
  is_default: boolean;
  terms: Tree[];
  practices: Tree[];
  fields: Tree[];
}

interface View {
  projects: ProjectRow[];
  teams: NamedRow[];
  processes: ProcessRow[];
  fields: Tree[];
  user: { [name: string]: Tree };
  is_full: boolean;
}

const projectInfo = (row: ProjectRow): Tree => ({
  ResourceType: 'ProjectInfo',
  Id: row.id,
  Name: row.name,
  Process: row.process === null ? null : { ResourceType: 'ProcessInfo', Id: row.process_id, Name: row.process },
  Program: row.program === null ? null : { ResourceType: 'ProgramInfo', Id: row.program_id, Name: row.program },
});

const processInfo = (row: ProcessRow): Tree => ({
  ResourceType: 'ProcessInfo',
  Id: row.id,
  Name: row.name,
  IsDefault: row.is_default,
  Terms: { item: 'Term', Items: row.terms },
  Practices: { item: 'Practice', Items: row.practices },
  CustomFields: { item: 'CustomFieldInfo', Items: row.fields },
});

const idsOf = (rows: readonly NamedRow[]): number[] => rows.map(({ id }) => id);

const mostIds = 1000;

/** A comma list of ids. */
function named(parameters: Parameters, name: 'ids' | 'projectIds' | 'teamIds'): Named {
  const text = parameters.get(name.toLowerCase() as Lowercase<typeof name>)?.trim();
  if (text === undefined || text === '*') return text;
  const ids = text.split(',').map((id) => parseId(id.trim()));
  if (ids.length > mostIds) throw tooMuch(name, `${ids.length} ids are given`, mostIds);
  if (!ids.every((id) => id !== undefined))
    throw badRequest(`${name}: a comma list of ids is needed.`, 'InvalidParameter');
  return ids;
}

const listed = (ids: Named): readonly number[] | undefined => (ids === '*' ? undefined : ids);
