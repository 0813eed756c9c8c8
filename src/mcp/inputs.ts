/** What several tools take. */
import { z } from 'zod';

/** Characters of a text, of four bytes at most: of any script, one fits the 64 KiB of a message. */
const longest = 15_000;

export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const kind = z.string().min(1).max(60).describe('A kind such as UserStory, Bug, Task, Feature, Release or User');

export const name = z.string().min(1).max(255);

export const condition = z
  .string()
  .min(1)
  .max(4000)
  .describe(
    "A condition such as entityState.isFinal==false and project.name=='Mobile' and effort>=5. Operators: == != < <= > >= and or not in [..] is null; texts in single quotes; dates as Today-7 or '2026-01-31', the first instant of a day, so an end by that day is plannedEndDate.date<='2026-01-31'; text.contains('x'); collections as tasks.count()>0, assignedUser.any(login=='alice'). A custom field stands by its name without blanks and signs, such as ReleaseNotes, or as customValues['Release Notes']",
  );

/** Values of fields by name; nested values are those of the API. */
export const fields = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((values) => Object.keys(values).length <= 50, 'at most 50 fields')
  .describe(
    'Values by field name, as describe lists them, such as {"PlannedEndDate": "2026-01-31", "Release": "Mobile 2.1"}. A reference is an id or a name, also in lists, such as {"RoleEfforts": [{"Role": "Developer", "Effort": 3}]}',
  );

export const customFields = z
  .record(z.string().min(1).max(255), z.union([z.string().max(longest), z.number(), z.boolean(), z.null()]))
  .refine((values) => Object.keys(values).length <= 50, 'at most 50 fields')
  .describe('Values of custom fields by name, such as {"Risk": "High"}');

/** The API takes tags as one text with commas between them. */
const tag = name.regex(/^[^,]*$/, 'a tag has no comma: give each tag as a text of its own');

export const tags = z.array(tag).max(50).describe('All tags of the item');

/** Project of an item, or to look in. */
export const project = z.union([id, name]).describe('Id or name');

/** Descriptions and comments. */
export const longText = z.string().min(1).max(longest).describe('Markdown, or HTML where it begins with a tag of HTML');

/** Stored with a mark in front of it, blanks would be a text. */
export const commentText = longText.regex(/\S/, 'a text is needed that is not blank');
