/** One command of the built command line, run to its end. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli/main.js');
/** Most commands end before code that V8 optimises has brought back what that took: a fifth of their time. */
const unoptimised = '--no-opt';

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `input` is what stands on standard input. */
export const command = (
  env: Record<string, string>,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<CommandOutcome> => startCommand(env, args, input).ended;

export function startCommand(
  env: Record<string, string>,
  args: readonly string[],
  input: string | Uint8Array = '',
): { readonly ended: Promise<CommandOutcome>; kill(signal: NodeJS.Signals): void } {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [unoptimised, script, ...args], { env: { PATH, HOME, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that asks for nothing may end before it is told anything.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<CommandOutcome>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { ended, kill: (signal) => void child.kill(signal) };
}
