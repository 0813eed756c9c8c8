/** Loaded before a command (`NODE_OPTIONS=--import`): no file can have two names, as on exFAT and many mounts. */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

files.link = async (from, to) => {
  const message = `EPERM: operation not permitted, link '${from}' -> '${to}'`;
  throw Object.assign(new Error(message), { code: 'EPERM', syscall: 'link' });
};
syncBuiltinESMExports();
