/** Answers `GET /metrics` on a port of its own, which is for Prometheus alone: nobody logs in there. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import prometheus from 'prom-client';
import type { Config } from '../config/config.js';
import { portInUse, StartError } from '../server/start-failure.js';

const contentType = prometheus.Registry.PROMETHEUS_CONTENT_TYPE;

/** Until the process ends. */
export async function serveMetrics({ host, metricsPort }: Config, read: () => Promise<string>): Promise<void> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
    try {
      const text = await read();
      response.writeHead(200, { 'content-type': contentType }).end(text);
    } catch {
      // A worker did not answer in time.
      response.writeHead(503).end();
    }
  });
  server.unref().listen(metricsPort, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new StartError(portInUse(error, 'METRICS_PORT')) : error;
  });
}
