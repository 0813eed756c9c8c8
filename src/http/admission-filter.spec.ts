import { expect, it } from 'vitest';
import { AdmissionFilter } from './admission-filter.js';

it('knows what comes again, and not what comes first', () => {
  const door = new AdmissionFilter();
  const texts = Array.from({ length: 500 }, (_, at) => `where=(Id gt ${at})`);
  expect(texts.filter((text) => door.knows(text)).length).toBeLessThan(5);
  expect(texts.filter((text) => door.knows(text)).length).toBeGreaterThan(400);
});

it('forgets in time, and takes hardly one for another', () => {
  const door = new AdmissionFilter();
  door.knows('first');
  for (let at = 0; at < 200_000; at++) door.knows(`text ${at}`);
  expect(door.knows('first')).toBe(false);
});
