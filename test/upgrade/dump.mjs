/**
 * Writes the database of DATABASE_URL as this directory keeps that of each released version: `VERSION.sql.br`. It takes
 * PostgreSQL's own pg_dump, of the version of the server.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500'];
const dump = execFileSync('pg_dump', [...options, process.env.DATABASE_URL], { encoding: 'utf8', maxBuffer: 2 ** 28 });
const statements = dump
  // What psql is told.
  .replace(/^\\.*\n/gm, '')
  // Partitions take over that their ids are always generated, from PostgreSQL 17 on.
  .replace(/^(INSERT INTO public\.change_record_\w+) VALUES/gm, '$1 OVERRIDING SYSTEM VALUE VALUES');
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: statements.length };
const file = new URL(`${version}.sql.br`, import.meta.url);
writeFileSync(file, brotliCompressSync(statements, { params }));
