/** The line by which the report of a run tells its browser. */
import { describe, expect, it } from 'vitest';
import { chromiumLine } from '../support/chromium.mjs';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';

describe.skipIf(!chromiumPath)(`Chromium${withoutChromium}`, () => {
  it('is named with the version that the specs use', async () => {
    const browser = await startChromium();
    const version = browser.version();
    await browser.close();
    expect(chromiumLine()).toContain(version);
    expect(chromiumLine()).not.toContain('\n');
  });
});
