/** All collections of a kind at once are within the limits of a statement, whatever part of them is asked for. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const kinds = buildModel(resourceEntities)
  .resources.map(({ name, collection, fields }) => ({
    name,
    path: collection,
    collections: fields.filter(({ kind }) => kind === 'collection').map((field) => field.name),
  }))
  .filter(({ path, collections }) => path && collections.length > 0);

const perKind = kinds.map((kind) => [kind.name, kind] as const);

describe.each(perKind)('all collections of %s', (_, { name, path, collections }) => {
  it('are shown in version 1, from any item of theirs on', async () => {
    const parts = [...[0, 1, 25, 500, 975].map((skip) => [25, skip]), ...[0, 1, 25].map((skip) => [1000, skip])];
    const pages = parts.map(([take, skip]) => `innerTake=${take}&innerSkip=${skip}`);
    for (const page of pages) {
      const answer = await app.ask(`/api/v1/${path}?format=json&take=1&include=[${collections}]&${page}`);
      expect([page, answer.status, answer.text]).toEqual([page, 200, answer.text]);
    }
  });

  it.each([
    'take(50)',
    'skip(25).take(25)',
    'skip(25).take(1000)',
    'skip(975).take(25)',
    'orderBy(id).skip(3).take(50)',
    'orderBy(1+id).skip(3).take(50)',
  ])('are shown in version 2, of each %s', async (part) => {
    const select = `{${collections.map((one) => `${one}:${one}.${part}.select(id)`).join(',')}}`;
    const answer = await app.ask(`/api/v2/${name}?${new URLSearchParams({ take: '1', select })}`);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  });
});
