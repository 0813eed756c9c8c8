import { expect, it } from 'vitest';
import { resourceEntities } from '../modules/entities.js';
import { buildModel } from './build-model.js';

const model = buildModel(resourceEntities);

it('take items that refer to their owner only where these can be written, and lose them likewise', () => {
  const wrong = model.resources.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      if (field.kind !== 'collection' || field.via.kind === 'link') return [];
      const { create, update, delete: remove } = field.target.settings.operations;
      return (field.canAdd && !create && !update) || (field.canRemove && !update && !remove)
        ? `${name}.${field.name}`
        : [];
    }),
  );
  expect(wrong).toEqual([]);
});
