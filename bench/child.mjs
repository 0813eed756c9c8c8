/** Loaded into the measured servers: ends them when the run is gone, however it went, and tells what they have used. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

if (process.connected) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    // The longest time for which the event loop did not turn since it was last asked.
    const stallMs = Math.max(0, delay.max / 1e6 - 5);
    delay.reset();
    process.send({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage(), stallMs });
  });
  // The server decides when it has nothing left to do.
  process.channel.unref();
}
