/**
 * The program of one of several processes that serve one port: the application alone, on a database that is prepared.
 */
import 'reflect-metadata';
import cluster from 'node:cluster';
import { closeApp, createApp } from '../app.js';
import { loadConfig } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import { Draining } from '../http/draining.js';
import { openStandardOutput } from '../runtime/standard-output.js';
import { lowerBackgroundThreads } from './background-threads.js';
import { endInOrder } from './end-in-order.js';
import { endOnUncaught, endProcess } from './end-process.js';
import { listen } from './listen.js';
import { keepHeapSmall, makeObjectsYoung } from './memory.js';
import { startFailure } from './start-failure.js';

const worker = cluster.worker!;
openStandardOutput();
endOnUncaught();
makeObjectsYoung();
try {
  const config = loadConfig(process.env);
  const app = await createApp(config);
  await listen(app, config);
  // Until now there was nothing to end in order.
  const end = endInOrder({
    drain: () => app.get(Draining).begin(),
    drainMs: config.drainMs,
    close: () => closeApp(app),
    isLed: true,
  });
  worker.on('disconnect', () => {
    // The primary is gone. Node would end this process on the spot, in the middle of what it does.
    worker.exitedAfterDisconnect = true;
    end();
  });
  keepHeapSmall();
  lowerBackgroundThreads();
  void app.get(DatabaseModule).openConnections();
} catch (error) {
  // The primary says it, once for all workers.
  process.send!({ failure: startFailure(error) }, () => void endProcess(1));
}
