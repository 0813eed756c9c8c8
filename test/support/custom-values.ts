/** Values of custom fields as bodies bring them, read by the service's own parsers. */
import { customFieldsOf } from '../../src/command/custom-fields.js';
import { customValue } from '../../src/command/custom-value.js';
import { parseJson } from '../../src/command/parse-json.js';
import { parseXml } from '../../src/command/parse-xml.js';
import type { Body, PayloadValue } from '../../src/command/payload.js';
import type { CustomFieldType } from '../../src/query/meaning.js';
import { atOnce, type Sliced } from '../../src/turns/slices.js';

const names = { entity: 'UserStory', collection: 'UserStories' };
export const kinds = ['UserStory', 'Bug', 'Release', 'Requester', 'User'];
const options = ['High', 'Medium', 'Low', 'low', 'Red, dark', 'Red', '2026'];

/** Of a field named F with some options. */
export const read = (value: PayloadValue, type: CustomFieldType, timeZone = 'UTC') =>
  customValue(value, { name: 'F', type, options }, { path: 'CustomFields[0].Value', timeZone }, kinds);

function sent(parsing: Sliced<Body>): PayloadValue {
  const body = atOnce(parsing);
  if (body.kind !== 'one') throw new Error('a list');
  return customFieldsOf(body.entity.members[0]!.value, 'CustomFields')[0]!.value;
}

/** A value as JSON has it. */
export const json = (value: string) => sent(parseJson(Buffer.from(`{"CustomFields":[{"Name":"F","Value":${value}}]}`)));
/** A value as an XML element `Value`. */
export const xml = (element: string) =>
  sent(
    parseXml(
      Buffer.from(`<UserStory><CustomFields><Field><Name>F</Name>${element}</Field></CustomFields></UserStory>`),
      names,
    ),
  );
