/**
 * A build of the last released version, made from the history of the repository; until one has a tag, of the last
 * version 0.1.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();

/** What came with version 0.2. A released migration is never edited. */
const baseline = 'src/database/migrations/0.2/schema.sql';

/** Undefined where there is no history. */
export function releasedCommit(): string | undefined {
  try {
    const [tag] = git('tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD').split('\n');
    if (tag) return tag;
    if (git('rev-parse', '--is-shallow-repository') === 'true') return undefined;
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', baseline);
    return added && git('rev-parse', `${added}~1`);
  } catch {
    return undefined;
  }
}

export class ReleasedBuild {
  private constructor(private readonly directory: string) {}

  static make(commit: string): ReleasedBuild {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-released-'));
    const archive = join(directory, 'all.tar');
    git('archive', `--output=${archive}`, commit);
    execFileSync('tar', ['-xf', archive, '-C', directory]);
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    for (const program of [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], ['bin/join.mjs']])
      execFileSync(process.execPath, program, { cwd: directory, stdio: 'pipe' });
    return new ReleasedBuild(directory);
  }

  script(name: string): string {
    return join(this.directory, 'dist', name);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
