/** The schema of a context: the caller, the projects and teams in view, and how their processes are set up. */
import type { Schema } from './openapi-types.js';
import { flag, listOf, nullableText, object, text } from './operation-rows.js';
import { idSchema, withNull } from './value-schemas.js';

/** In XML values are attributes and the rest are elements. */
const values = (properties: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, { ...one, xml: { attribute: true } }]));

const typed = (name: string): Record<string, Schema> => values({ ResourceType: { const: name }, Id: idSchema });

const named = (type: string): Schema => object({ ...typed(type), ...values({ Name: text }) });

const items = (element: string, item: Schema): Schema => object({ Items: listOf({ ...item, xml: { name: element } }) });

const caller = object({
  ...typed('User'),
  ...values({ FirstName: nullableText, LastName: nullableText, Email: nullableText }),
  ...values({ IsActive: flag, IsAdministrator: flag, Kind: text }),
});

const culture = object(
  values({
    ...{ Name: text, TimePattern: text, ShortDateFormat: text, LongDateFormat: text },
    DecimalSeparator: text,
  }),
);

const project = object({
  ...typed('ProjectInfo'),
  ...values({ Name: text }),
  Process: withNull(named('ProcessInfo')),
  Program: withNull(named('ProgramInfo')),
});

const practice: Schema = {
  ...object(values({ Name: text, Description: nullableText })),
  description: 'A practice, and its settings by their names.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

const customField = object(
  values({
    ...{ Id: idSchema, EntityKind: text, Name: text, Type: text, Required: flag },
    ...{ Value: nullableText, EntityFieldName: nullableText },
  }),
);

const process = object({
  ...typed('ProcessInfo'),
  ...values({ Name: text, IsDefault: flag }),
  Terms: items('Term', object(values({ Name: text, WordKey: text, Value: text }))),
  Practices: items('Practice', practice),
  CustomFields: items('CustomFieldInfo', customField),
});

const isEmpty = object(values({ No: flag }));

export const contextSchema: Schema = object({
  ...values({ ResourceType: { const: 'Context' }, Acid: text, Edition: text, Version: text }),
  ...values({ IsFull: flag, AnyProject: flag, AnyTeam: flag, IsNoTeamIncluded: flag }),
  AppContext: object({ ProjectContext: isEmpty, TeamContext: isEmpty }),
  LoggedUser: caller,
  Culture: culture,
  SelectedProjects: items('ProjectInfo', project),
  SelectedTeams: items('TeamInfo', named('TeamInfo')),
  Processes: items('ProcessInfo', process),
  CustomFields: items('CustomFieldInfo', customField),
});
