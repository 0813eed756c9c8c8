/** What bash offers behind the words of a command line, asked of bash itself. */
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { command } from '../support/command.js';

const hasBash = spawnSync('bash', ['--version']).status === 0;
let script: string;

beforeAll(async () => {
  script = (await command({}, ['completion', 'bash'])).stdout;
}, 60_000);

/** The last word is the one that is completed. */
function offered(...words: string[]): string[] {
  const asked = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _worktrack; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Where no file is offered, none of this directory is.
  const { stdout } = spawnSync('bash', ['-c', asked, 'bash', 'worktrack', ...words], { encoding: 'utf8' });
  return stdout.trim() === '' ? [] : stdout.trim().split('\n').sort();
}

it.runIf(hasBash).each<[string[], string[]]>([
  [['comp'], ['completion']],
  [['us'], ['user']],
  [
    ['user', ''],
    ['--help', 'activate', 'add', 'deactivate', 'help', 'list', 'passwd', 'unlock'],
  ],
  [['user', 'add', '--e'], ['--email']],
  [['help', 'to'], ['token']],
  [
    ['help', 'token', ''],
    ['issue', 'list', 'revoke'],
  ],
  [['help', 'serve', ''], []],
  [
    ['completion', ''],
    ['--help', 'bash'],
  ],
  [['completion', 'b'], ['bash']],
  [['user', 'list', 'pack'], []],
  [['settings', 'get', 'pack'], []],
  [
    ['migrate', '--'],
    ['--check', '--help', '--json'],
  ],
  [['restore', 'package.'], ['package.json']],
  [['backup', '--j'], ['--json']],
])('behind %j it offers %j', (words, completions) => expect(offered(...words)).toEqual(completions));
