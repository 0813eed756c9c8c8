/**
 * The context and its parts are no resources: they have no rows. Clients look for the context in the index all the
 * same.
 */
import { type FieldDescription, metaUri, type ResourceDescription } from './describe.js';
import { emptyDescription } from './value-types.js';

/** Fields by name, with their types. */
interface Part {
  description: string;
  values?: Readonly<Record<string, string>>;
  references?: Readonly<Record<string, string>>;
  collections?: Readonly<Record<string, string>>;
}

const named = { Id: 'Int32', Name: 'String' } as const;

const parts: Readonly<Record<string, Part>> = {
  Context: {
    description: 'The projects and teams in view, how their processes are set up, and the caller.',
    values: {
      ...{ Acid: 'String', Edition: 'String', Version: 'String' },
      ...{ IsFull: 'Boolean', AnyProject: 'Boolean', AnyTeam: 'Boolean', IsNoTeamIncluded: 'Boolean' },
    },
    references: { LoggedUser: 'User', Culture: 'Culture', AppContext: 'AppContext' },
    collections: {
      ...{ SelectedProjects: 'ProjectInfo', SelectedTeams: 'TeamInfo', Processes: 'ProcessInfo' },
      CustomFields: 'CustomFieldInfo',
    },
  },
  AppContext: {
    description: 'Whether a context has projects and teams.',
    references: { ProjectContext: 'SimpleContext', TeamContext: 'SimpleContext' },
  },
  SimpleContext: {
    description: 'Whether a context has nothing of a kind.',
    values: { No: 'Boolean' },
  },
  Culture: {
    description: 'How dates and numbers are written in the pages of a client.',
    values: {
      Name: 'String',
      TimePattern: 'String',
      ShortDateFormat: 'String',
      LongDateFormat: 'String',
      DecimalSeparator: 'String',
    },
  },
  ProjectInfo: {
    description: 'A project in a context.',
    values: named,
    references: { Process: 'ProcessInfo', Program: 'ProgramInfo' },
  },
  ProgramInfo: { description: 'The program of a project in a context.', values: named },
  TeamInfo: { description: 'A team in a context.', values: named },
  ProcessInfo: {
    description: 'How the process of projects in a context is set up.',
    values: { ...named, IsDefault: 'Boolean' },
    collections: { Terms: 'Term', Practices: 'Practice', CustomFields: 'CustomFieldInfo' },
  },
  CustomFieldInfo: {
    description: 'A custom field in a context, of a process or, as those of users and teams, of none.',
    values: {
      ...named,
      EntityKind: 'String',
      EntityFieldName: 'String',
      Value: 'String',
      Type: 'FieldTypeEnum',
      Required: 'Boolean',
    },
  },
};

/** Types that are resources as well, by their collections. */
const collections: Readonly<Record<string, string>> = { User: 'Users', Term: 'Terms', Practice: 'Practices' };

export const contextDescription = (base: string): ResourceDescription => described('Context', parts.Context!, base);

/** The context or a part of it, by name in any letter case. */
export function partDescription(name: string, base: string): ResourceDescription | undefined {
  const part = Object.entries(parts).find(([own]) => own.toLowerCase() === name.toLowerCase());
  return part && described(...part, base);
}

function described(name: string, part: Part, base: string): ResourceDescription {
  const uri = metaUri(base);
  const fields = (of: Part['values'] = {}, more: Partial<FieldDescription> = {}) =>
    Object.entries(of).map(([field, type]) => ({ ...fieldOf(field, type, uri), ...more }));
  const complex = { IsTypeComplex: true };
  return {
    ...emptyDescription(name, part.description, base),
    values: fields(part.values),
    references: fields(part.references, complex),
    collections: fields(part.collections, { ...complex, CanAdd: false, CanRemove: false }),
  };
}

const fieldOf = (name: string, type: string, uri: (collection: string) => string): FieldDescription => ({
  Name: name,
  CanSet: false,
  CanGet: true,
  IsDeprecated: false,
  IsRequired: false,
  Type: type,
  IsTypeComplex: false,
  IsSynthetic: false,
  Description: '',
  Uri: uri(collections[type] ?? type),
  IsBoundToParent: false,
});
