/** All kinds of attack: `{ name, row, what, attack(fixture) }`, where `row` is that of the list of hostile requests. */
import answers from './kinds/answers.mjs';
import bodies from './kinds/bodies.mjs';
import connections from './kinds/connections.mjs';
import credentials from './kinds/credentials.mjs';
import queries from './kinds/queries.mjs';
import writes from './kinds/writes.mjs';

export const kinds = [...queries, ...answers, ...bodies, ...credentials, ...connections, ...writes];
