/**
 * Answers in JSON, XML and CSV go out compressed where a client asks for it and it is worth it. Pages do not: what they
 * keep from others (the tokens of forms) must not show in how long they are. Nor do files, most of which are compressed
 * already, and whole lists, whose lines would come later than they are made.
 */
import { type Duplex, pipeline, Readable } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Coding, codingFor } from './content-coding.js';

/** Below this a few packets at most are saved, and it costs more than it brings. */
const leastLength = 4096;

export function addCompression(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const accepted = request.headers['accept-encoding'];
    if (accepted === undefined || !isWorthIt(payload, reply)) return done();
    const coding = codingFor(String(accepted));
    if (coding === undefined) return done();
    if (payload instanceof Readable) {
      label(reply, coding);
      reply.removeHeader('content-length');
      return done(
        null,
        pipeline(payload, streams[coding](), () => undefined),
      );
    }
    compressors[coding](payload, (error, compressed) => {
      // The answer as it is can always be sent.
      if (error) return done();
      label(reply, coding);
      done(null, compressed);
    });
  });
}

const compressible = /^(?:application\/(?:json|xml)|text\/(?:xml|csv))\b/;

function isWorthIt(payload: unknown, reply: FastifyReply): payload is string | Buffer | Readable {
  // A range counts the bytes as they are.
  if (reply.hasHeader('accept-ranges')) return false;
  const isLong = payload instanceof Readable || lengthOf(payload) >= leastLength;
  return isLong && compressible.test(String(reply.getHeader('content-type') ?? ''));
}

const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;

/** Another coding is another sequence of bytes, which a strong tag would claim to be the same. */
function label(reply: FastifyReply, coding: Coding): void {
  reply.header('content-encoding', coding);
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
}

type Compressor = (payload: string | Buffer, done: (error: Error | null, compressed: Buffer) => void) => void;

/**
 * In threads of their own. At their lowest levels both take a millisecond or three for each megabyte - a tenth of what
 * making the answer takes - and leave a few hundredths of it; the next levels take twice that for little.
 */
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
const brotli = { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: 18 };
const fast = { level: 1 };

const compressors: Record<Coding, Compressor> = {
  br: (payload, done) => {
    brotliCompress(payload, { params: { ...brotli, [BROTLI_PARAM_SIZE_HINT]: payload.length } }, done);
  },
  gzip: (payload, done) => gzip(payload, fast, done),
};

/** Compressors for answers that go out in pieces. */
const streams: Record<Coding, () => Duplex> = {
  br: () => createBrotliCompress({ params: brotli }),
  gzip: () => createGzip(fast),
};
