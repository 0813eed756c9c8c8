/** Looks at a page by the rules of WCAG 2.2 AA: in light and dark, at the width of a phone and of a desk. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Finding {
  id: string;
  html: string;
  failureSummary?: string;
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that look at colours, which are all that differs in the dark. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** The page is one whose policy is bypassed: the rules are run as a script of it. */
export async function isWellSeen(page: Page, isFine: (finding: Finding) => boolean = () => false): Promise<void> {
  await page.evaluate(axe);
  const findings = async (rules: readonly string[]): Promise<string[]> => {
    const all = await page.evaluate<Finding[]>(
      `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary }))))`,
    );
    return all.filter((one) => !isFine(one)).map((one) => `${one.id}: ${one.html} ${one.failureSummary}`);
  };
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const look = `${width} pixels, ${colorScheme}`;
      expect(await findings(colorScheme === 'light' ? tags : ofColours), look).toEqual([]);
      boxes.push(await page.evaluate(shownBoxes));
      // Nothing is beyond the edge, where only scrolling sideways would reach it.
      expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBeLessThanOrEqual(width);
    }
    expect(boxes[1], `${width} pixels: the dark changes colours alone`).toEqual(boxes[0]);
  }
}

/** Where everything is, and whether it is shown. */
const shownBoxes = `JSON.stringify([...document.querySelectorAll('*')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const { visibility, opacity, fontSize, fontWeight } = getComputedStyle(one);
  return [one.localName, x, y, width, height, visibility, opacity, fontSize, fontWeight].join();
}))`;
