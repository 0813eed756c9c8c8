/** The schema of a context: the caller, the projects and teams in view, and how their processes are set up. */
import type { Schema } from './openapi-types.js';
import { attribute, attributes, flag, listOf, nullableText, object, text } from './operation-rows.js';
import { idSchema, withNull } from './value-schemas.js';

const typed = (name: string): Record<string, Schema> => attributes({ ResourceType: { const: name }, Id: idSchema });

const named = (type: string): Schema => object({ ...typed(type), ...attributes({ Name: text }) });

const items = (element: string, item: Schema): Schema => object({ Items: listOf({ ...item, xml: { name: element } }) });

const caller = object({
  ...typed('User'),
  ...attributes({ FirstName: nullableText, LastName: nullableText, Email: nullableText }),
  ...attributes({ IsActive: flag, IsAdministrator: flag, Kind: text }),
});

const culture = object(
  attributes({
    ...{ Name: text, TimePattern: text, ShortDateFormat: text, LongDateFormat: text },
    DecimalSeparator: text,
  }),
);

const project = object({
  ...typed('ProjectInfo'),
  ...attributes({ Name: text }),
  Process: withNull(named('ProcessInfo')),
  Program: withNull(named('ProgramInfo')),
});

const practice: Schema = {
  ...object(attributes({ Name: text, Description: nullableText })),
  description: 'A practice, and its settings by their names.',
  additionalProperties: attribute({ type: ['string', 'number', 'boolean', 'null'] }),
};

const customField = object(
  attributes({
    ...{ Id: idSchema, EntityKind: text, Name: text, Type: text, Required: flag },
    ...{ Value: nullableText, EntityFieldName: nullableText },
  }),
);

const process = object({
  ...typed('ProcessInfo'),
  ...attributes({ Name: text, IsDefault: flag }),
  Terms: items('Term', object(attributes({ Name: text, WordKey: text, Value: text }))),
  Practices: items('Practice', practice),
  CustomFields: items('CustomFieldInfo', customField),
});

const isEmpty = object(attributes({ No: flag }));

export const contextSchema: Schema = object({
  ...attributes({ ResourceType: { const: 'Context' }, Acid: text, Edition: text, Version: text }),
  ...attributes({ IsFull: flag, AnyProject: flag, AnyTeam: flag, IsNoTeamIncluded: flag }),
  AppContext: object({ ProjectContext: isEmpty, TeamContext: isEmpty }),
  LoggedUser: caller,
  Culture: culture,
  SelectedProjects: items('ProjectInfo', project),
  SelectedTeams: items('TeamInfo', named('TeamInfo')),
  Processes: items('ProcessInfo', process),
  CustomFields: items('CustomFieldInfo', customField),
});
