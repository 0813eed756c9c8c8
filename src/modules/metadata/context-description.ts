/** The context is no resource: it has no rows. Clients look for it in the index all the same. */
import { type FieldDescription, metaUri, type ResourceDescription } from './describe.js';

type FieldOf = (name: string, type: string, more?: Partial<FieldDescription>) => FieldDescription;

const complex = { IsTypeComplex: true };
const items = { ...complex, CanAdd: false, CanRemove: false };

export function contextDescription(base: string): ResourceDescription {
  const uri = metaUri(base);
  const field = fieldOf(uri);
  return {
    Name: 'Context',
    CanCreate: false,
    CanUpdate: false,
    CanDelete: false,
    IndexUri: uri('Index'),
    Uri: uri('Context'),
    Description: 'The projects and teams in view, how their processes are set up, and the caller.',
    base: [],
    derived: [],
    values: ['Acid', 'Edition', 'Version'].map((name) => field(name, 'String')),
    references: [
      field('LoggedUser', 'User', complex),
      ...['Culture', 'AppContext'].map((name) => field(name, name, complex)),
    ],
    collections: [
      field('SelectedProjects', 'ProjectInfo', items),
      field('SelectedTeams', 'TeamInfo', items),
      field('Processes', 'ProcessInfo', items),
    ],
    remarks: '',
  };
}

const fieldOf =
  (uri: (collection: string) => string): FieldOf =>
  (name, type, more = {}) => ({
    Name: name,
    CanSet: false,
    CanGet: true,
    IsDeprecated: false,
    IsRequired: false,
    Type: type,
    IsTypeComplex: false,
    IsSynthetic: false,
    Description: '',
    Uri: uri(type === 'User' ? 'Users' : type),
    IsBoundToParent: false,
    ...more,
  });
