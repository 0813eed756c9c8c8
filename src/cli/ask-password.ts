/**
 * Asks for what is no argument: passwords and tokens, which are not shown, and texts. Where standard input is no
 * terminal, they are read from it.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from './command-error.js';

export async function askPassword(label: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(process.stdin);
  return typedUnseen(async (typed) => {
    const password = await prompt(`${label}: `, typed);
    if ((await prompt(`${label}, once more: `, typed)) !== password)
      throw new CommandError('The two passwords differ.');
    return password;
  });
}

/** A password or token that there is already, asked for once. */
export function askSecret(label: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(process.stdin);
  return typedUnseen((typed) => prompt(`${label}: `, typed));
}

/**
 * A line that may be seen. Standard input that is no terminal holds the secret behind it, so there it must be an
 * option.
 */
export async function askLine(label: string, option: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError(`${label} is needed: give ${option}.`, exitCodes.usage);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${label}: `)).trim();
  } finally {
    lines.close();
  }
}

/** All of standard input, or a line of a terminal. */
export async function askText(label: string): Promise<string> {
  if (process.stdin.isTTY) return askLine(label, 'it as an argument');
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestText) throw new CommandError(`${label}: at most ${longestText} characters are read.`);
  }
  return text;
}

const longestText = 2 ** 20;

async function typedUnseen<T>(ask: (typed: AsyncIterator<string>) => Promise<T>): Promise<T> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // One for all questions: in between nothing is echoed either, and what was pasted is kept. Without a history to fetch
  // it from.
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  lines.once('SIGINT', () => lines.close());
  try {
    return await ask(lines[Symbol.asyncIterator]());
  } finally {
    lines.close();
  }
}

async function prompt(question: string, typed: AsyncIterator<string>): Promise<string> {
  process.stderr.write(question);
  const line = await typed.next();
  process.stderr.write('\n');
  if (line.done) throw new CommandError('No password was given.');
  return line.value;
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
