/**
 * The address that links start with: what is configured, else what was asked, and forwarded headers from trusted
 * proxies only.
 */
import { expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

const forwarded = { 'x-forwarded-host': 'work.example.com', 'x-forwarded-proto': 'https' };

async function next(
  env: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ link: string; base: string }> {
  const app = await TestApp.start(env);
  try {
    return { link: (await app.json('/api/v1/Bugs?take=1&include=[Id]', { headers })).Next, base: app.base };
  } finally {
    await app.stop();
  }
}

const rest = '/api/v1/Bugs/?include=%5BId%5D&format=json&take=1&skip=1';

it('is the host of the request, whatever strangers forward', async () => {
  const { link, base } = await next({}, forwarded);
  expect(link).toBe(base + rest);
});

it('is what a trusted proxy forwards', async () => {
  const { link } = await next({ TRUSTED_PROXIES: '127.0.0.1' }, forwarded);
  expect(link).toBe(`https://work.example.com${rest}`);
  const { link: hostile, base } = await next(
    { TRUSTED_PROXIES: '127.0.0.1' },
    { 'x-forwarded-host': '', 'x-forwarded-proto': 'javascript' },
  );
  expect(hostile).toBe(base + rest);
});

it('is the configured one before all others', async () => {
  const { link } = await next({ BASE_URL: 'https://track.example.com/', TRUSTED_PROXIES: '127.0.0.1' }, forwarded);
  expect(link).toBe(`https://track.example.com${rest}`);
});
