import { expect, it } from 'vitest';
import { parseId } from './ids.js';

it.each([
  ['0', 0],
  ['007', 7],
  ['2147483647', 2 ** 31 - 1],
  ['2147483648', 2 ** 31],
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740992', undefined],
  ['9007199254740993', undefined],
  ['99999999999999999', undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  [' 1', undefined],
  ['٣', undefined],
])("parses '%s' as the id %s", (text, id) => expect(parseId(text)).toBe(id));
