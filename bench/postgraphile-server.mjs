/** PostGraphile as its documentation says for production, from the folder that it was installed into, on one schema. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { PEER_DATABASE_URL: connectionString, PEER_POOL: max, PEER_SCHEMA: schema, PEER_HOME: home } = process.env;
const require = createRequire(join(home, 'package.json'));
const { postgraphile } = require('postgraphile');
const { Pool } = require('pg');

const options = { disableQueryLog: true, dynamicJson: true, legacyRelations: 'omit', ignoreRBAC: true };
const middleware = postgraphile(new Pool({ connectionString, max: Number(max) }), [schema], options);
await middleware.getGraphQLSchema();
const server = createServer(middleware);

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`The PostGraphile server listens on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit());
