/** Loaded into the measured servers: ends them when the run is gone, however it went, and tells what they have used. */
import { watchStalls } from './stalls.mjs';

if (process.connected) {
  const stalls = watchStalls();
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    process.send({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage(), ...stalls() });
  });
  // The server decides when it has nothing left to do.
  process.channel.unref();
}
