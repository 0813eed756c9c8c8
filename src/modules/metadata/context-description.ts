/** The context is no resource: it has no rows. Clients look for it in the index all the same. */
import { type FieldDescription, metaUri, type ResourceDescription } from './describe.js';

export function contextDescription(base: string): ResourceDescription {
  const uri = metaUri(base);
  const field = (Name: string, Type: string, more: Partial<FieldDescription> = {}): FieldDescription => ({
    Name,
    CanSet: false,
    CanGet: true,
    IsDeprecated: false,
    IsRequired: false,
    Type,
    IsTypeComplex: false,
    IsSynthetic: false,
    Description: '',
    Uri: uri(Type === 'User' ? 'Users' : Type),
    IsBoundToParent: false,
    ...more,
  });
  const complex = { IsTypeComplex: true };
  const items = { ...complex, CanAdd: false, CanRemove: false };
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
      field('Culture', 'Culture', complex),
      field('AppContext', 'AppContext', complex),
    ],
    collections: [
      field('SelectedProjects', 'ProjectInfo', items),
      field('SelectedTeams', 'TeamInfo', items),
      field('Processes', 'ProcessInfo', items),
    ],
    remarks: '',
  };
}
