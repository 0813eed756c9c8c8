import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CredentialCache } from './credential-cache.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('knows what a text proved, and forgets the text within two seconds', () => {
  const recalled = new CredentialCache<{ name: string }>();
  const ann = { name: 'Ann' };
  recalled.set('Basic QW5uOnNlY3JldA==', ann);
  expect(recalled.get('Basic QW5uOnNlY3JldA==')).toBe(ann);
  expect(recalled.get('Basic QW5uOnNlY3JldA=')).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect(recalled.get('Basic QW5uOnNlY3JldA==')).toBe(ann);
  vi.advanceTimersByTime(1_000);
  expect(recalled.get('Basic QW5uOnNlY3JldA==')).toBeUndefined();
});

it('leaves no timer behind once it is empty, and begins again', () => {
  const recalled = new CredentialCache<object>();
  recalled.set('a', {});
  vi.advanceTimersByTime(3_000);
  expect(vi.getTimerCount()).toBe(0);
  recalled.set('a', {});
  expect(recalled.get('a')).toBeDefined();
  expect(vi.getTimerCount()).toBe(1);
});

it('takes so many texts a second and no more', () => {
  const recalled = new CredentialCache<object>();
  for (let n = 0; n < 5_001; n++) recalled.set(String(n), {});
  expect(recalled.get('4999')).toBeDefined();
  expect(recalled.get('5000')).toBeUndefined();
});
