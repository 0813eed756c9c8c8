/** Types of schemas in a few words. */
import { expect, it } from 'vitest';
import { typeText } from './api-docs-page.js';

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['number', 'null'] }, 'number or null'],
  [{ type: 'string', enum: ['pt', 'h'] }, 'pt, h'],
  [{ type: 'string', const: 'Bug' }, '"Bug"'],
  [{ $ref: '#/components/schemas/Date' }, 'Date'],
  [{ anyOf: [{ $ref: '#/components/schemas/Project' }, { type: 'null' }] }, 'Project or null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/CustomValue' } }, 'list of CustomValue'],
  [{}, 'any'],
])('%j', (schema, words) => expect(typeText(schema)).toBe(words));
