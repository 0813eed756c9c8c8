/**
 * Why forms are not read by `@fastify/multipart`, though it reads with the parser that is used here: what it does with
 * these forms is what the service must not do. Where one of these fails, a newer version may be tried.
 */

import Fastify, { type FastifyInstance } from 'fastify';
import multipart from 'fastify-multipart';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let fastify: FastifyInstance;

beforeAll(async () => {
  fastify = Fastify();
  await fastify.register(multipart, { limits: { headerPairs: 20 } });
  fastify.post('/', async (request) => {
    const parts: unknown[] = [];
    for await (const part of request.parts()) {
      if (part.type === 'file') parts.push([part.fieldname, (await part.toBuffer()).toString()]);
      else parts.push([part.fieldname, part.value]);
    }
    return parts;
  });
});
afterAll(() => fastify.close());

async function read(headers: string, body = 'x'): Promise<[number, unknown]> {
  const payload = `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n--b--\r\n`;
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const answer = await fastify.inject({ method: 'POST', url: '/', headers: type, payload });
  return [answer.statusCode, answer.json()];
}

const file = 'name="file"; filename="a"';

describe('@fastify/multipart', () => {
  it.each([
    ['10,000 headers', '\r\nX: y'.repeat(10_000)],
    ['a header of a megabyte', `\r\nX: ${'y'.repeat(2 ** 20)}`],
  ])('cuts off %s of a part, and tells nobody', async (_, more) => {
    expect(await read(file + more)).toEqual([200, [['file', 'x']]]);
  });

  it('changes a text that calls itself JSON, and refuses it where it is none', async () => {
    const field = 'name="description"\r\nContent-Type: application/json';
    expect(await read(field, '1.0')).toEqual([200, [['description', 1]]]);
    expect(await read(field, '1.0 is out')).toMatchObject([406, { code: 'FST_INVALID_JSON_FIELD_ERROR' }]);
  });

  it('refuses a file below a name that all objects have', async () => {
    expect(await read('name="toString"; filename="a"')).toMatchObject([400, { code: 'FST_PROTO_VIOLATION' }]);
  });
});
