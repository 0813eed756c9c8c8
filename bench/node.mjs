/** `--node 24`: the same build on another version of Node, beside the one that runs this. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode } from '../test/support/other-node.mjs';

/** What is measured unless cases are named. */
const usual = ['one', 'list', 'create', 'create-one'];

/** Both are asked the same, and nothing else is. */
export function casesOnNode(all, names) {
  const chosen = names.length > 0 ? names : usual;
  return all
    .filter(({ name, service }) => service && chosen.includes(name))
    .map(({ name, what, clients, unit, size, isRead, service }) => ({
      ...{ name, what, clients, unit, size, isRead, isClose: true },
      service,
      node: service,
    }));
}

/** Where its binary lies, and which version it is exactly. */
export function installOtherNode(version, { say, ending }) {
  const home = mkdtempSync(join(tmpdir(), 'worktrack-node-'));
  ending.push(() => rmSync(home, { recursive: true, force: true }));
  say(`Installing Node ${version} …`);
  const executable = join(installNode(version, home), 'node');
  return { executable, version: execFileSync(executable, ['--version'], { encoding: 'utf8' }).trim() };
}
