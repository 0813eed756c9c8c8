import { defineConfig } from 'vitest/config';

/** They share what they import, which takes longer than many of them run. */
const together = ['test/{api,hostile}/**/*.api-spec.ts'];

const shared = {
  setupFiles: ['reflect-metadata'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/database.ts'],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'api', include: together, isolate: false } },
      {
        test: {
          ...shared,
          name: 'apart',
          include: ['src/**/*.spec.ts', 'test/**/*.{spec,api-spec,web-spec}.ts'],
          exclude: together,
        },
      },
    ],
  },
});
