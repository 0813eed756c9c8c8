/** The built service as a process of its own, started as a user starts it. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

/**
 * Most services end before code that V8 optimises has brought back what that took: a quarter of a start. Newer versions
 * of Node have another option, and a compiler that takes less.
 */
const hardlyOptimised = Number.parseInt(process.versions.node, 10) < 22 ? ['--interrupt-budget=1000000'] : [];

function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: '0', DRAIN_SECONDS: '0', ...env };
}

export class Service {
  output = '';
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** `script` is a file of the build, or the path of one of another build. */
  static spawn(env: Record<string, string>, script = 'main.js', args: readonly string[] = []): Service {
    return new Service(
      spawn(process.execPath, [...hardlyOptimised, resolve(dist, script), ...args], { env: environment(env) }),
    );
  }

  /** A module of its own beside the build, which stands for the service; run by another program where that is named. */
  static run(script: string, by: readonly string[] = []): Service {
    const [program, ...args] = [...by, process.execPath, '--input-type=module', '--eval', script];
    return new Service(spawn(program!, args, { cwd: resolve(dist, '..') }));
  }

  /** Run by another program, which is told of it behind its own arguments. */
  static spawnBy([program, ...args]: readonly string[], env: Record<string, string>): Service {
    const all = [...args, process.execPath, ...hardlyOptimised, join(dist, 'main.js')];
    return new Service(spawn(program!, all, { env: environment(env) }));
  }

  /** What it says on standard output goes into an open file. */
  static spawnInto(output: number, env: Record<string, string>): Service {
    const stdio: StdioOptions = ['ignore', output, 'pipe'];
    return new Service(
      spawn(process.execPath, [...hardlyOptimised, join(dist, 'main.js')], { env: environment(env), stdio }),
    );
  }

  /** Waits until it says where it listens. */
  async address(): Promise<string> {
    const match = await this.says(/listens on (http:\/\/\S+?)(?: with|\.\n)/);
    return match[1]!;
  }

  async says(pattern: RegExp, seconds = 60): Promise<RegExpExecArray> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    return until(() => {
      const match = pattern.exec(this.output);
      if (!match && over) throw new Error(`ended without saying ${pattern}: ${this.output}`);
      return match;
    }, seconds);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** Asks again and again until there is an answer. */
export async function until<T>(
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  seconds = 20,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`nothing within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
