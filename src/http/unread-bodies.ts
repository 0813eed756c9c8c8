/**
 * Ends connections whose request was answered before its body was read. Node would close them at once, and a connection
 * that is closed while its client still sends is reset, and takes the answer with it: what still comes is read and
 * dropped. Clients that wait for a challenge before they send a password send all of the body first, over whatever line
 * they have; so for some of them this goes on while they bring enough, and for all others a moment.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectGarbageAfter } from './collect-garbage.js';
import { watchPace } from './long-requests.js';
import { droppingTurns } from './reading-turns.js';

/** So little is read to its end, and the connection stays. */
const little = 64 * 1024;
/** Milliseconds. */
const moment = 2000;

/** What is dropped for longer than a moment. */
interface Patience {
  /** Connections at a time. */
  readonly most: number;
  readonly mostOfAddress: number;
  /** The most bytes of one body. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** What is slower ends. */
  readonly bytesInMoment: number;
}

/** `longest`: the bytes of the longest body that is taken anywhere. */
export function endUnread(fastify: FastifyInstance, longest: number): void {
  const patience = { most: 32, mostOfAddress: 8, bytes: longest, milliseconds: 600_000, bytesInMoment: 32 * 1024 };
  const patient = new Map<Socket, string>();
  fastify.addHook('onSend', ({ raw, ip }, reply, _payload, done) => {
    if (isUnread(raw)) {
      reply.header('connection', 'close');
      const dropped = new Dropped(raw, ip, patience, patient);
      raw.on('data', (chunk: Buffer) => {
        dropped.add(chunk.length);
        droppingTurns.read(raw, chunk.length);
        collectGarbageAfter(chunk.length);
      });
      // Begins before the answer is sent: what nobody reads by then, Node drops in one go.
      raw.read(0);
    }
    done();
  });
}

function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > little);
}

/** The rest of a body, from its answer on. */
class Dropped {
  private bytes = 0;
  private isEnding = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private endWatch = (): void => undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly address: string,
    private readonly patience: Patience,
    private readonly patient: Map<Socket, string>,
  ) {
    // In place of what Node calls when the last answer is sent.
    request.socket.destroySoon = () => this.endGently();
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.patience.bytes) this.request.socket.destroy();
  }

  private endGently(): void {
    const { socket } = this.request;
    const isFirst = !this.isEnding;
    this.isEnding = true;
    if (isFirst) socket.end();
    if (isFirst) socket.once('close', () => this.leave());
    // The second time the service ends.
    if (isFirst && this.mayGoOn()) this.goOn();
    else this.destroyIn(moment);
  }

  private mayGoOn(): boolean {
    const { request, patience, patient } = this;
    const isLong = Number(request.headers['content-length'] ?? 0) > patience.bytes;
    const ofAddress = [...patient.values()].filter((one) => one === this.address).length;
    return !request.complete && !isLong && patient.size < patience.most && ofAddress < patience.mostOfAddress;
  }

  private goOn(): void {
    const { request, patience, patient } = this;
    patient.set(request.socket, this.address);
    const pace = { bytes: patience.bytesInMoment, milliseconds: moment };
    this.endWatch = watchPace(request, pace, () => request.socket.destroy());
    this.destroyIn(patience.milliseconds);
    // The client reads its answer now.
    request.once('end', () => {
      this.leave();
      this.destroyIn(moment);
    });
  }

  private destroyIn(milliseconds: number): void {
    this.timers.push(setTimeout(() => this.request.socket.destroy(), milliseconds).unref());
  }

  private leave(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.endWatch();
    this.patient.delete(this.request.socket);
  }
}
