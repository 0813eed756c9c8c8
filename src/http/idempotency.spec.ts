import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { secretName } from './idempotency.js';

it('knows the fields that hold secrets by their names: what is written and never shown, but for bytes of files', () => {
  const fields = buildModel(resourceEntities).resources.flatMap((resource) => resource.fields);
  const writeOnly = fields.filter((field) => field.kind === 'scalar' && field.isWriteOnly).map(({ name }) => name);
  expect(writeOnly).toContain('SystemPassword');
  expect([...new Set(writeOnly.filter((name) => !secretName.test(name)))]).toEqual(['Content']);
});
