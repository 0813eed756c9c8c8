/**
 * Asks for what is no argument: passwords and tokens, which are not shown, and texts. Where standard input is no
 * terminal, they are read from it.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from './command-error.js';
import { textOf } from './standard-input.js';

export async function askPassword(label: string): Promise<string> {
  if (!process.stdin.isTTY) return (await lastLine()) ?? '';
  return typedUnseen(async (typed) => {
    const password = await prompt(`${label}: `, typed);
    if ((await prompt(`${label}, once more: `, typed)) !== password)
      throw new CommandError('The two passwords differ.');
    return password;
  });
}

/** A password or token that there is already, asked for once. */
export async function askSecret(label: string): Promise<string> {
  if (!process.stdin.isTTY) return (await lastLine()) ?? '';
  return typedUnseen((typed) => prompt(`${label}: `, typed));
}

/** Who logs in, which may be seen, and the password. Where they are piped, each has a line. */
export async function askLogin(): Promise<[login: string, password: string]> {
  if (process.stdin.isTTY) {
    const login = await askLine('Login');
    return [login, await askSecret(`Password of ${login}`)];
  }
  const login = (await nextLine())?.trim();
  const password = await lastLine();
  if (login && password !== undefined) return [login, password];
  throw new CommandError(
    'A line with the login and one with the password are needed, or --login and the password.',
    exitCodes.usage,
  );
}

async function askLine(label: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${label}: `)).trim();
  } finally {
    lines.close();
  }
}

/** All of standard input, or a line of a terminal. */
export async function askText(label: string): Promise<string> {
  if (process.stdin.isTTY) return askLine(label);
  let text = '';
  for await (const piece of textOf(process.stdin)) {
    text += piece;
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

/** Input that came behind the lines that were read. */
let behind = '';

/** Goes on where the line before ended. */
let input: AsyncGenerator<string> | undefined;

/** Of standard input; undefined where it has ended. */
async function nextLine(): Promise<string | undefined> {
  let text = behind;
  input ??= textOf(process.stdin);
  while (!text.includes('\n') && text.length <= longest) {
    const { value, done } = await input.next();
    if (done) break;
    text += value;
  }
  const end = text.indexOf('\n');
  behind = end < 0 ? '' : text.slice(end + 1);
  return text === '' ? undefined : text.slice(0, end < 0 ? undefined : end).replace(/\r$/, '');
}

/** Nothing is read behind it, so that the command ends although its standard input does not. */
async function lastLine(): Promise<string | undefined> {
  const line = await nextLine();
  process.stdin.destroy();
  return line;
}
