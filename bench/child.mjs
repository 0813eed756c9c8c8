/** Loaded into the measured servers: ends them when the run is gone, however it went, and tells what they have used. */
import { readdirSync } from 'node:fs';
import { watchStalls } from './stalls.mjs';

if (process.connected) {
  const stalls = watchStalls();
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    process.send({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage(), descriptors: descriptors(), ...stalls() });
  });
  // The server decides when it has nothing left to do.
  process.channel.unref();
}

/** Files and connections that are open; undefined where the system does not tell. */
function descriptors() {
  try {
    // One of them is that of the directory itself.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}
