import { describe, expect, it } from 'vitest';
import { query, quoted, usersWhere } from './spell.js';

describe('what the pages ask for', () => {
  it('quotes texts and encodes values, and leaves out what is empty', () => {
    expect(quoted("O'Neil")).toBe("'O''Neil'");
    expect(query({ where: "Login eq 'a&b'", take: 50, skip: undefined, search: '' })).toBe(
      "?where=Login%20eq%20'a%26b'&take=50",
    );
    expect(query({ skip: 0 })).toBe('?skip=0');
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
