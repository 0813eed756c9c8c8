/** Finds the Chromium of this machine for the web specs, and tells its version. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const chromiumPath = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place));

/** One line for the report of a run: a page may behave differently in another version. */
export function chromiumLine() {
  if (!chromiumPath) return 'No Chromium found: the specs of pages in a browser are skipped.';
  const { stdout } = spawnSync(chromiumPath, ['--version'], { encoding: 'utf8' });
  return stdout?.trim().split('\n', 1)[0] || `Chromium at ${chromiumPath} does not tell its version.`;
}
