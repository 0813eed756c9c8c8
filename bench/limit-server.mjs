/** The limit: a bare HTTP server over bare `pg` that does what a case needs with hand-written statements and nothing else. */
import { createServer } from 'node:http';
import pg from 'pg';
import { loadCases } from './cases.mjs';
import { Database } from './limit/database.mjs';
import { readFacts } from './limit/facts.mjs';

const { LIMIT_DATABASE_URL: connectionString, LIMIT_POOL: max, LIMIT_TOTALS: totals } = process.env;
const pool = new pg.Pool({ connectionString, max: Number(max), options: '-c TimeZone=UTC -c jit=off' });
const facts = await readFacts(pool);
const database = new Database(pool, totals);
const routes = new Map((await loadCases()).map(({ name, answer }) => [`/${name}`, answer]));

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { status, text } = await answerTo(request, Buffer.concat(chunks));
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

async function answerTo({ url }, body) {
  const answer = routes.get(url.split('?', 1)[0]);
  if (!answer) return { status: 404, text: '{}' };
  try {
    return await answer(database, body.length > 0 ? JSON.parse(body.toString()) : undefined, facts);
  } catch (error) {
    return { status: 500, text: JSON.stringify({ Message: error.message }) };
  }
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`The limit server listens on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit());
