/**
 * The short form of `npm run cluster`, on machines that have its programs and may make networks: nothing is lost,
 * doubled, half done or stale.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { canMakeNetworks } from '../../cluster/network.mjs';
import { missing } from '../../cluster/nodes.mjs';

const program = fileURLToPath(new URL('../../cluster/run.mjs', import.meta.url));
const absent = [...missing(), ...(canMakeNetworks() ? [] : ['the right to make networks'])];

it.skipIf(absent.length > 0)(
  `three Patroni nodes and three services keep what was acknowledged${absent.length > 0 ? ` (no ${absent.join(', ')})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--short'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await new Promise((resolve) => child.once('exit', resolve));
    expect(output).toMatch(/lost: 0, doubled: 0, halfDone: 0, stale: 0\n/);
  },
);
