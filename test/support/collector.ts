/** Takes spans as a collector does, by OTLP over HTTP in JSON; it may also refuse them, or not answer. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, string | number | undefined>;
  service: string | number | undefined;
}

export type Manner = 'takes' | 'refuses' | 'is silent';

export class Collector {
  readonly spans: Span[] = [];
  /** All bodies. */
  text = '';
  requests = 0;
  manner: Manner = 'takes';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Gives its address. */
  behaving(manner: Manner): string {
    this.manner = manner;
    return this.url;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    if (this.manner === 'is silent') return;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (this.manner === 'refuses') return void response.writeHead(500).end();
    const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
    if (!isTraces) return void response.writeHead(404).end();
    this.add(Buffer.concat(pieces).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  private add(text: string): void {
    this.text += text;
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans) {
          const service = valuesOf(resource.attributes)['service.name'];
          this.spans.push({ ...span, attributes: valuesOf(span.attributes), service });
        }
  }
}

const valuesOf = (attributes: readonly Attribute[]): Span['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
