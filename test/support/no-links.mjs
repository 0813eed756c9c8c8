/**
 * Loaded before a command (`NODE_OPTIONS=--import`): no file can have two names, as on exFAT and many mounts. Another
 * reason may be given for that in LINK_ERROR, and one why no file can be renamed in RENAME_ERROR.
 */
import blocking from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { LINK_ERROR = 'EPERM', RENAME_ERROR } = process.env;

const failing = (syscall, code) => (from, to) => {
  throw Object.assign(new Error(`${code}: ${syscall} '${from}' -> '${to}'`), { code, syscall });
};

files.link = async (from, to) => failing('link', LINK_ERROR)(from, to);
if (RENAME_ERROR) blocking.renameSync = failing('rename', RENAME_ERROR);
syncBuiltinESMExports();
