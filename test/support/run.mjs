/** Checks, builds and runs all specs, and ends with one line that counts them, taken from the runner's own report. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromiumLine } from './chromium.mjs';

/** Of `npm test` alone: who asks for some specs has them at once. */
if (process.argv.length === 2) mustPass('check');
// Some specs start the built service as a user would.
mustPass('build');

function mustPass(script) {
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
  if (status === 0) return;
  process.stdout.write(`\`npm run ${script}\` failed.\n0 passed, 1 failed\n`);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), 'worktrack-report-'));
const report = join(directory, 'report.json');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const run = spawnSync(
  process.execPath,
  [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exitCode = run.status ?? 1;
process.stdout.write(`${chromiumLine()}\n`);
try {
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'skipped' || status === 'pending'),
  );
  for (const { fullName } of skipped) process.stdout.write(`skipped: ${fullName}\n`);
  // A file that could not even be loaded counts as a failure of its own.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  if (numFailedTestSuites > 0 && process.exitCode === 0) process.exitCode = 1;
  const counts = `${numPassedTests} passed, ${numFailedTests + broken.length} failed`;
  process.stdout.write(`${counts}${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}\n`);
} catch (error) {
  process.stdout.write(`The runner left no report: ${error.message}\n0 passed, 1 failed\n`);
  process.exitCode ||= 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
