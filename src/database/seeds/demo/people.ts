/** Companies, users and requesters. */
import { companies, people, requesters } from './words.js';
import type { DemoWriter } from './writer.js';

export interface People {
  /** Everyone who signs in and works. */
  users: number[];
  roleOf: Map<number, number>;
  observer: number;
  requesters: number[];
  companies: number[];
}

export function addPeople(writer: DemoWriter, passwordHash: string): People {
  const all = companies.map((name) =>
    writer.add('company', { name, url: `https://${asLogin(name)}.example`, description: null }),
  );
  const roleOf = new Map<number, number>();
  const users = people.map(([first, last, role], index) => {
    const login = asLogin(first);
    const isObserver = first === 'Uma';
    const deleted = first === 'Wanda' || first === 'Xavier';
    const id = writer.add('general_user', {
      kind: 'User',
      first_name: first,
      last_name: last,
      login,
      email: `${login}@example.com`,
      password_hash: passwordHash,
      create_date: writer.day(-900 + index * 20),
      modify_date: writer.day(-30),
      delete_date: deleted ? writer.day(-12) : null,
      is_active: first !== 'Viktor' && !deleted,
      is_administrator: first === 'Grace',
      is_observer: isObserver,
      // Some have never signed in.
      last_login_date: index % 6 === 5 ? null : writer.day(-writer.random(40)),
      weekly_available_hours: index % 7 === 3 ? 20 : 40,
      current_allocation: 100,
      current_available_hours: 0,
      available_from: writer.midnight(-300),
      available_future_allocation: 0,
      available_future_hours: 0,
      skills: index % 4 === 0 ? 'SQL, TypeScript' : null,
      locale: index % 5 === 0 ? 'en-GB' : null,
      role_id: role,
      custom_values: {},
      token_version: 0,
    });
    roleOf.set(id, role);
    return id;
  });
  const working = users.filter((_, index) => !['Wanda', 'Xavier', 'Viktor', 'Uma'].includes(people[index]![0]));
  return { users: working, roleOf, observer: users[20]!, requesters: addRequesters(writer, all), companies: all };
}

const addRequesters = (writer: DemoWriter, all: number[]): number[] =>
  requesters.map(([first, last, company], index) =>
    writer.add('general_user', {
      kind: 'Requester',
      first_name: first,
      last_name: last,
      login: `requester${index + 1}`,
      email: `requester${index + 1}@example.org`,
      create_date: writer.day(-400 + index),
      modify_date: writer.day(-100),
      is_active: true,
      is_administrator: false,
      phone: `+49 30 ${1000 + index}`,
      source_type: 'Mail',
      company_id: all[company - 1],
      custom_values: {},
      token_version: 0,
    }),
  );

/** Letters and digits only, without accents. */
const asLogin = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
