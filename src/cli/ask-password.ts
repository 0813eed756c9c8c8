/** Asks for a password without showing it; where standard input is no terminal, its first line is the password. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.js';

export async function askPassword(label: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(process.stdin);
  const password = await prompt(`${label}: `);
  if ((await prompt(`${label}, once more: `)) !== password) throw new CommandError('The two passwords differ.');
  return password;
}

async function prompt(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const interrupted = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(new CommandError('No password was given.')));
    lines.once('close', () => reject(new CommandError('No password was given.')));
  });
  process.stderr.write(question);
  try {
    return await Promise.race([lines.question(''), interrupted]);
  } finally {
    interrupted.catch(() => undefined);
    lines.close();
    process.stderr.write('\n');
  }
}

const longest = 64 * 1024;

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > longest) break;
  }
  return text.split('\n')[0]!.replace(/\r$/, '');
}
