/** The Chromium of this machine, if there is one. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const chromiumPath = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place));

/** Behind the name of a group of specs, so that the report of a run says why they are skipped. */
export const withoutChromium = chromiumPath
  ? ''
  : ' (skipped: no Chromium found; install one, for example with apt-get install chromium, or set CHROMIUM_PATH)';

export const startChromium = (): Promise<Browser> =>
  // The sandbox needs rights that containers rarely give; the pages shown are our own.
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
