import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWhere } from '../../query/v1/parse.js';
import { listsOf, query, quoted, usersWhere } from './spell.js';

describe('what the pages ask for', () => {
  it('quotes texts and encodes values, and leaves out what is empty', () => {
    expect(quoted("O'Neil")).toBe("'O\\'Neil'");
    expect(query({ where: "Login eq 'a&b'", take: 50, skip: undefined, search: '' })).toBe(
      "?where=Login%20eq%20'a%26b'&take=50",
    );
    expect(query({ skip: 0 })).toBe('?skip=0');
  });

  it('quotes any texts so that the service reads the same ones', () => {
    const text = fc.string({ unit: fc.constantFrom(...'\\\'"%,() a€𐍈') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (texts) => {
        const read = listsOf(texts).flatMap((list) => parseWhere(`Login in (${list})`).words);
        expect([...read, ...parseWhere(`Login eq ${quoted(texts[0]!)}`).words]).toEqual([...texts, texts[0]]);
      }),
    );
  });

  it('makes lists that an address has room for', () => {
    const lists = listsOf(Array.from({ length: 50 }, (_, at) => `${at}${'漢'.repeat(250)}`));
    expect(lists.flatMap((list) => list.split(','))).toHaveLength(50);
    const search = usersWhere('漢'.repeat(5_000), '', ' and ');
    for (const list of lists) expect(encodeURIComponent(`${search}(Login in (${list}))`).length).toBeLessThan(15_000);
    expect(listsOf([])).toEqual([]);
  });

  it('looks for every word in every name of a user', () => {
    const word = (input: string) =>
      `(FirstName contains '${input}' or LastName contains '${input}' or Login contains '${input}' or Email contains '${input}')`;
    expect(usersWhere(' ada  lovelace ', '')).toBe(`${word('ada')} and ${word('lovelace')}`);
    expect(usersWhere('ada', 'inactive')).toBe(`${word('ada')} and (IsActive eq 'false')`);
    expect(usersWhere('ada', '', ' and ')).toBe(`${word('ada')} and `);
    expect(usersWhere('', 'administrators')).toBe("(IsAdministrator eq 'true')");
    expect(usersWhere('', '', ' and ')).toBe('');
    expect(usersWhere('', 'constructor')).toBe('');
    // Conditions are limited.
    expect(usersWhere('x '.repeat(100), '').split(' and ')).toHaveLength(10);
  });
});
