/** Runs the programs in `examples/` as their users do, each in a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { TestApp } from '../support/app.js';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

export const pathOf = (file: string): string => join(examples, file);

interface Language {
  name: string;
  suffix: string;
  /** Tells whether what runs it is installed. */
  isThere: boolean;
  command(source: string, folder: string): Promise<string[]>;
}

const isInstalled = (...programs: string[]): boolean =>
  programs.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined);

export const languages: Language[] = [
  {
    name: 'bash with curl and jq',
    suffix: 'sh',
    isThere: isInstalled('bash', 'curl', 'jq', 'awk', 'sha256sum'),
    command: async (source) => ['bash', source],
  },
  { name: 'Python', suffix: 'py', isThere: isInstalled('python3'), command: async (source) => ['python3', source] },
  { name: 'TypeScript', suffix: 'mts', isThere: true, command: compiled },
];

/** Node 22 and newer run TypeScript as it is; older ones do not. */
async function compiled(source: string, folder: string): Promise<string[]> {
  const modules = await rolldown({ input: source, platform: 'node', tsconfig: false });
  const file = join(folder, 'example.mjs');
  await modules.write({ file, format: 'esm' });
  await modules.close();
  return [process.execPath, file];
}

export interface Ran {
  status: number | null;
  lines: string[];
  errors: string;
}

/** A program with a folder of its own for what it keeps. */
export class Example {
  readonly folder = mkdtempSync(join(tmpdir(), 'worktrack-example-'));
  private line: Promise<string[]>;

  constructor(
    name: string,
    { suffix, command }: Language,
    private readonly token: string,
  ) {
    this.line = command(pathOf(`${name}.${suffix}`), this.folder);
  }

  async run(url: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ran> {
    const [program, ...more] = await this.line;
    const environment = { ...process.env, WORKTRACK_URL: url, WORKTRACK_TOKEN: this.token, ...env };
    const child = spawn(program!, [...more, ...args], { env: environment, timeout: 120_000 });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (piece) => output.push(piece));
    child.stderr.on('data', (piece) => errors.push(piece));
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const lines = Buffer.concat(output).toString().split('\n').filter(Boolean);
    return { status, lines, errors: Buffer.concat(errors).toString() };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** An access token of a user; one that only reads where that is enough. */
export async function tokenOf(app: TestApp, as: string, more: object = {}): Promise<string> {
  const answer = await app.post('/api/v1/AccessTokens?format=json', { Name: 'example', ...more }, { as });
  return answer.json.Token;
}
