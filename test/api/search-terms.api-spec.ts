/** Search: ids that are left out, values of custom fields, words by their beginnings, any text at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { diceOf, pick } from '../support/dice.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
});
afterAll(() => app.stop());

const ask = (q: string) => app.ask(`/api/v1/Search?format=json&project=${project}&q=${encodeURIComponent(q)}`);
const itemsOf = async (q: string): Promise<{ Id: number; Found: { Highlights: { Items: { Html: string }[] } } }[]> => {
  const answer = await ask(q);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.Items;
};
const idsOf = async (q: string): Promise<number[]> => (await itemsOf(q)).map(({ Id }) => Id).sort((a, b) => a - b);
const story = async (fields: object): Promise<number> =>
  (await app.write('UserStories', { Project: { Id: project }, ...fields })).Id;

describe('an Id that is left out', () => {
  it('leaves out its item by its comments as well, and puts nothing first', async () => {
    const ids = [
      await story({ Name: 'Gather medlars' }),
      await story({ Name: 'Sort' }),
      await story({ Name: 'Press' }),
    ];
    const [, sorting, pressing] = ids as [number, number, number];
    for (const id of [sorting, pressing])
      await app.write('Comments', { General: { Id: id }, Description: 'with medlars' });
    expect(await idsOf('medlars')).toEqual(ids);
    for (const id of ids)
      for (const q of [`medlars -${id}`, `medlars -#${id}`, `medl* -${id}`, `"medlars" -${id} -77`])
        expect([q, await idsOf(q)]).toEqual([q, ids.filter((other) => other !== id)]);
    expect(await idsOf(`${sorting} -${sorting}`)).toEqual([]);
    expect(await idsOf(`medlars -${ids[0]} -${sorting}`)).toEqual([pressing]);
    // It has no place before what ranks higher.
    expect((await itemsOf(`medlars -${pressing}`)).map(({ Id }) => Id)).toEqual([ids[0], sorting]);
  });
});

describe('an Id that is looked for', () => {
  it('finds its item first, however many newer texts have the number', async () => {
    const eldest = await story({ Name: 'Quince jam' });
    await app.write('Comments', { General: { Id: eldest }, Description: 'with rosehip' });
    const chapters = Array.from({ length: 100 }, () => ({ Name: `Chapter ${eldest}`, Project: { Id: project } }));
    for (let count = 0; count < 6; count += 1) await app.write('UserStories/bulk', chapters);
    for (const q of [`${eldest}`, `#${eldest}`, `#${eldest} quince`, `"quince jam" ${eldest}`])
      expect([q, (await itemsOf(q))[0]?.Id]).toEqual([q, eldest]);
    expect((await itemsOf(`${eldest}`)).filter(({ Id }) => Id === eldest)).toHaveLength(1);
    for (const q of [`${eldest} -quince`, `#${eldest} rosehip`, `${eldest} "jam quince"`])
      expect([q, (await itemsOf(q)).filter(({ Id }) => Id === eldest)]).toEqual([q, []]);
    expect(await app.items(`/api/v1/Search?types=Bug&q=%23${eldest}`)).toEqual([]);
  });

  it('finds nothing that the caller does not see', async () => {
    const id = await story({ Name: 'Hidden medlar tree' });
    for (const q of [`${id}`, `#${id}`, `"medlar tree" ${id}`]) {
      const path = `/api/v1/Search?format=json&q=${encodeURIComponent(q)}`;
      expect(JSON.stringify((await app.ask(path)).json)).toContain('Hidden medlar');
      expect(JSON.stringify((await app.ask(path, { as: 'alice' })).json)).not.toContain('Hidden medlar');
    }
  });
});

describe('values of custom fields', () => {
  const options = ['2 weeks', '10 users', '2024 roadmap', '3 bugs,4 stories', '5 userstories'];

  it.each(options)('%j is found', async (option) => {
    if (option === options[0])
      await app.write('CustomFields', {
        Name: 'Span',
        FieldType: 'DropDown',
        EntityType: { Id: 4 },
        Process: { Id: 3 },
        Value: options.join('\n'),
      });
    const id = await story({ Name: 'Spanned', CustomFields: [{ Name: 'Span', Value: option }] });
    for (const word of option.split(/\W+/))
      expect([word, await idsOf(word)]).toEqual([word, expect.arrayContaining([id])]);
    expect(await idsOf(`"${option}"`)).toEqual([id]);
  });

  it('that point at entities of any kind are not', async () => {
    const general = model.resource('General');
    const kinds = model.resources
      .filter((type) => type.isA(general) || ['User', 'Requester', 'GeneralUser'].includes(type.name))
      .map(({ name }) => name.toLowerCase());
    await app.write('CustomFields', {
      Name: 'Pointers',
      FieldType: 'MultipleEntities',
      EntityType: { Id: 4 },
      Process: { Id: 3 },
    });
    const id = await story({ Name: 'Pointing' });
    for (const kind of kinds) {
      await app.rows(`update general set custom_values = jsonb_build_object('Pointers', $2::text) where id = $1`, [
        id,
        `83641 ${kind},83642 ${kind}`,
      ]);
      expect([kind, await idsOf('83641'), await idsOf('83642')]).toEqual([kind, [], []]);
    }
  });
});

describe('each word of a text', () => {
  it.each([
    ['ΟΔΟΣΗΜΑ', ['ΟΔΟΣΗΜΑ']],
    ['ΠΙΝΑΚΑΣ.pdf', ['ΠΙΝΑΚΑΣ', 'pdf']],
    ['Ο Οδυσσέας\u2019s ΔΡΌΜΟΣ: ΑΣ ΑΣ\u00b7Α', ['Ο', 'Οδυσσέας', 's', 'ΔΡΌΜΟΣ', 'ΑΣ', 'Α']],
    ['πίνακας', ['πίνακας', 'ΠΊΝΑΚΑΣ']],
    ['ǅungla STRAẞE İĞNE', ['ǅungla', 'STRAẞE', 'İĞNE']],
  ])('of %j finds it, and so does each of its beginnings, in any case', async (text, words) => {
    const ids = [
      await story({ Name: text }),
      await story({ Name: 'In a text', Description: `<p>${text.replace('Σ', '&Sigma;')}</p>` }),
      await story({ Name: 'Tagged', Tags: text }),
    ];
    for (const word of words) {
      const beginnings = Array.from({ length: word.length - 1 }, (_, at) => `${word.slice(0, at + 2)}*`);
      for (const q of [word, word.toLowerCase(), ...beginnings]) {
        const marked = (await itemsOf(q)).filter(({ Found }) => JSON.stringify(Found).includes('<mark>'));
        expect([q, marked.map(({ Id }) => Id)]).toEqual([q, expect.arrayContaining(ids)]);
      }
    }
  });
});

describe('any text at all', () => {
  /** Letters that come apart when they are composed. */
  const apart = ['\u0958', '\u09dc', '\ufb2c', '\ufb1f', '\u{1d15e}', '\u0f43', '\u2adc'];

  it.each(apart)('%j before a star, as often as fits, is answered', async (letter) => {
    for (const count of [499, 249, 166, 3]) {
      const word = letter.repeat(Math.min(count, Math.floor(490 / letter.length)));
      for (const q of [`${word}*`, `"log ${word}*"`, `log -${word}*`]) {
        const { status, text } = await ask(q);
        expect([200, 400], `${count}: ${text}`).toContain(status);
      }
    }
  });

  it('is found or refused', async () => {
    const dice = diceOf(20);
    const letterOf = (point: number) => (point >> 11 === 27 ? 'A' : String.fromCodePoint(point));
    for (let count = 0; count < 60; count += 1) {
      const letters = Array.from({ length: 1 + dice(40) }, () =>
        pick(dice, [...apart, letterOf(dice(0x20000)), letterOf(dice(128)), '"', '*', '-', ' ']),
      );
      const q = `${letters.join('')}${pick(dice, ['', '*', '"', '"*'])}`;
      const { status, text } = await ask(q);
      expect([200, 400], `${JSON.stringify(q)}: ${text}`).toContain(status);
    }
  });
});
