import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { flags } from './memory.js';

const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

describe('flags of V8', () => {
  it.each(Object.values(flags))('%s is one that this Node knows', (flag) => {
    const name = flag.replace(/^--(no-)?/, '').replace(/=.*/, '');
    expect(options).toContain(`  --${name} `);
  });
});
