/** Tells on standard error which packages of a name this process has loaded, when it ends. By `node --import`. */
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);
process.on('exit', () => {
  const loaded = Object.keys(cache).filter((file) => file.includes('/@opentelemetry/'));
  process.stderr.write(`loaded ${loaded.length} files of OpenTelemetry\n`);
});
