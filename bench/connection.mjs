/**
 * One keep-alive connection that knows just enough HTTP: a client that shares the processor with what it measures must
 * cost little.
 */
import { connect } from 'node:net';

const separator = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

export class Connection {
  #socket;
  #chunks = [];
  #received = 0;
  /** Where the answer ends; unknown until its head is there, and with chunked answers to the end. */
  #end;
  #isChunked = false;
  #waiting;

  constructor({ hostname, port }) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The connection was closed.')));
    this.#socket.setTimeout(60_000, () => this.#socket.destroy(new Error('No answer within 60 s.')));
  }

  /** One at a time: the next may be sent when this one is answered. */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#chunks = [];
      this.#received = 0;
      this.#end = undefined;
      this.#isChunked = false;
      this.#socket.write(request);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#end === undefined && !this.#isChunked) this.#readHead();
    const isOver = this.#isChunked ? this.#tail().equals(lastChunk) : this.#received >= this.#end;
    if (isOver) this.#answer();
  }

  #readHead() {
    const bytes = this.#whole();
    const at = bytes.indexOf(separator);
    if (at < 0) return;
    const head = bytes.toString('latin1', 0, at);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (length) this.#end = at + separator.length + Number(length[1]);
    else this.#isChunked = true;
  }

  #whole() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }

  #tail() {
    if (this.#chunks.at(-1).length < lastChunk.length) this.#whole();
    return this.#chunks.at(-1).subarray(-lastChunk.length);
  }

  #answer() {
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    const bytes = this.#whole();
    const isChunked = this.#isChunked;
    // 'HTTP/1.1 200 …'
    const status = Number(bytes.toString('latin1', 9, 12));
    resolve?.({ status, text: () => bodyOf(bytes, isChunked) });
  }

  #fail(error) {
    const { reject } = this.#waiting ?? {};
    this.#waiting = undefined;
    reject?.(error);
  }
}

function bodyOf(bytes, isChunked) {
  const start = bytes.indexOf(separator) + separator.length;
  return isChunked ? joined(bytes, start).toString() : bytes.toString('utf8', start);
}

/** Of an answer in chunks the bytes between their lengths. */
function joined(bytes, start) {
  const chunks = [];
  for (let at = start; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

/** The request as it goes over the wire. `body` is anything JSON can spell. */
export function spell({ method = 'GET', path, body, headers = {} }, host) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    Host: host,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
