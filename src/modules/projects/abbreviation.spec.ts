import { expect, it } from 'vitest';
import { abbreviation } from './abbreviation.js';

it.each([
  ['foo bar', 'FB'],
  ['demo project', 'DP'],
  ['Tau Product - Kanban #1', 'TPK'],
  ['Project446', 'PRO'],
  ['Bar_Foo', 'BAR'],
  ['Æther über', 'ÆÜ'],
  ['x', 'X'],
  ['!!!', '!!!'],
])('%s', (name, expected) => expect(abbreviation(name)).toBe(expected));
