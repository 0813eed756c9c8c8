import { describe, expect, it } from 'vitest';
import { KnownOrigins } from './known-origins.js';

const refuses = (config: { baseUrl?: string; corsOrigins?: string[] }, origin?: string, host?: string): boolean => {
  const origins = new KnownOrigins({ baseUrl: undefined, corsOrigins: [], ...config });
  try {
    origins.check({ headers: { origin, host } });
    return false;
  } catch {
    return true;
  }
};

describe('origins of agents', () => {
  it.each<[string | undefined, string, boolean]>([
    [undefined, 'evil.example', false],
    ['http://localhost:3000', 'localhost:3000', false],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', false],
    ['http://[::1]:3000', '[::1]:3000', false],
    ['http://localhost:3001', 'localhost:3000', true],
    // The site has given its name the address of the service.
    ['http://evil.example:3000', 'evil.example:3000', true],
    ['http://127.0.0.1.evil.example', '127.0.0.1.evil.example', true],
    ['null', 'localhost:3000', true],
    ['', 'localhost:3000', true],
  ])('%s at %s', (origin, host, isRefused) => expect(refuses({}, origin, host)).toBe(isRefused));

  it.each<[string, boolean]>([
    ['https://work.example', false],
    ['http://work.example', true],
    ['https://work.example:8443', true],
    ['http://127.0.0.1', true],
  ])('with BASE_URL: %s', (origin, isRefused) =>
    expect(refuses({ baseUrl: 'https://work.example/track' }, origin, 'work.example')).toBe(isRefused));

  it('those of CORS_ORIGINS are known', () =>
    expect(refuses({ corsOrigins: ['https://ide.example'] }, 'https://ide.example', 'x')).toBe(false));
});
