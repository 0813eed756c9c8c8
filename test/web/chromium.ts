/** Starts the Chromium of this machine, if there is one. */
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../support/chromium.mjs';

export { chromiumPath };

/** Behind the name of a group of specs, so that the report of a run says why they are skipped. */
export const withoutChromium = chromiumPath
  ? ''
  : ' (skipped: no Chromium found; install one, for example with apt-get install chromium, or set CHROMIUM_PATH)';

export const startChromium = (): Promise<Browser> =>
  // The sandbox needs rights that containers rarely give; the pages shown are our own.
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
