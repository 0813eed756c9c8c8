/** Loaded into the measured servers: ends them when the run is gone, however it went, and tells what they have used. */
if (process.connected) {
  process.on('disconnect', () => process.exit());
  process.on('message', () => process.send({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage() }));
  // The server decides when it has nothing left to do.
  process.channel.unref();
}
