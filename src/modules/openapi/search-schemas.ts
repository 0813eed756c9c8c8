/** Schemas of what a search answers: Generals with the pieces of text in which the words were found. */
import { refTo, type Schema } from './openapi-types.js';
import { listOf, object } from './operation-rows.js';
import { pageOf } from './resource-schemas.js';
import { idSchema } from './value-schemas.js';

const attribute = { xml: { attribute: true } };

const highlight = object(
  {
    Field: { enum: ['Name', 'Description', 'Comment', 'Tags'], ...attribute },
    Html: { type: 'string', ...attribute, description: 'Escaped but for `<mark>`.' },
  },
  ['Field', 'Html'],
);

const rankAndHighlights = object(
  {
    Rank: { type: 'number', ...attribute },
    CommentId: {
      ...idSchema,
      ...attribute,
      description: 'Of the comment that was found; absent where it is the item.',
    },
    Highlights: object({ Items: listOf({ ...highlight, xml: { name: 'Highlight' } }) }),
  },
  ['Rank', 'Highlights'],
);

const searchHit: Schema = {
  allOf: [refTo('schemas', 'General'), object({ Found: rankAndHighlights })],
  xml: { name: 'General' },
};

export const searchSchemas: Readonly<Record<string, Schema>> = { SearchResults: pageOf(searchHit) };
