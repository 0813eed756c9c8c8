/**
 * A bare HTTP server over bare `pg` that does what a case needs with hand-written statements and nothing else: as
 * `limit`, `bare` or `same`.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { columnTypes } from '../build/database/column-types.js';
import { sessionOptions } from '../build/database/session.js';
import { loadCases } from './cases.mjs';
import { Database } from './limit/database.mjs';
import { readFacts } from './limit/facts.mjs';
import { schemaOf } from './schemas.mjs';

const { HAND_SERVER: name, HAND_DATABASE_URL: connectionString, HAND_POOL: max } = process.env;
// As the service has them; left alone, PostgreSQL plans a member's list anew each time, which takes longer than running
// it.
const session = sessionOptions({ timeZone: 'UTC' });
const pool = new pg.Pool({
  connectionString,
  types: columnTypes,
  max: Number(max),
  options: `${session} -c search_path=${schemaOf(name)},public`,
});
const facts = await readFacts(pool);
const database = new Database(pool, name);
const routes = new Map((await loadCases()).map((one) => [one.name, one.answer]));

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { status, text, type = 'application/json; charset=utf-8' } = await answerTo(request, chunks);
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  });
});

/** Writes are told by their body, reads by the segments of their path. */
async function answerTo({ url }, chunks) {
  const [, path, ...segments] = url.split('/');
  const answer = routes.get(path);
  if (!answer) return { status: 404, text: '{}' };
  try {
    const input = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : segments;
    return await answer(database, input, facts);
  } catch (error) {
    return { status: 500, text: JSON.stringify({ Message: error.message }) };
  }
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`The ${name} server listens on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit());
