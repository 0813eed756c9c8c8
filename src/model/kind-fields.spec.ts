import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { resourceEntities } from '../modules/entities.js';
import { buildModel } from './build-model.js';
import type { ResourceType } from './model.js';

const model = buildModel(resourceEntities);
const bases = model.resources.filter(({ derived }) => derived.length > 0);
const below = ({ derived }: ResourceType): ResourceType[] => derived.flatMap((kind) => [kind, ...below(kind)]);

describe.each(bases.map((base) => [base.name, base] as const))('%s', (_, base) => {
  it('has what its kinds have under a name that means the same to all of them, collections aside', () => {
    for (const kind of below(base)) {
      for (const field of kind.fields) {
        if (base.field(field.name) || field.kind === 'collection' || (field.kind === 'scalar' && field.isWriteOnly))
          continue;
        expect([field.name, base.kindFields(field.name).length]).toEqual([field.name, 1]);
      }
    }
  });

  it('needs no look at the kind of a row for references: their columns are those of no other field', () => {
    for (const field of base.commonKindFields) {
      if (field.kind !== 'reference' || field.isNarrowed) continue;
      const others = below(base).filter((kind) => !kind.field(field.name));
      const same = others.flatMap((kind) =>
        kind.fields.filter((one) => 'column' in one && one.column === field.column),
      );
      expect([field.name, same]).toEqual([field.name, []]);
    }
  });
});

describe('a name', () => {
  it.each([
    ['General', 'severity', ['Severity']],
    ['General', 'Bugs', expect.arrayContaining(['Bugs', 'Bugs'])],
    ['General', 'Name', []],
    ['GeneralUser', 'Password', []],
    ['Bug', 'VotesCount', []],
    ['FullHistory', 'CurrentBug', ['CurrentBug']],
    ['FullHistory', 'Bug', ['Bug']],
    ['FullHistory', 'Feature', ['Feature']],
  ])('%s.%s', (resource, name, names) => {
    expect(
      model
        .resource(resource)
        .kindFields(name)
        .map(({ field }) => field.name),
    ).toEqual(names);
  });

  it('of a deprecated reference is that of a current one where kinds mean different things by it', () => {
    const [feature, ...others] = model.resource('FullHistory').kindFields('Feature');
    expect(feature!.kinds.map(({ name }) => name)).toEqual(expect.arrayContaining(['BugHistory', 'UserStoryHistory']));
    expect(feature!.kinds.map(({ name }) => name)).not.toContain('FeatureHistory');
    expect(others).toEqual([]);
  });
});
