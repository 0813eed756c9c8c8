import { defineConfig } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';

export default defineConfig({
  plugins: [builtModules()],
  test: {
    include: ['src/**/*.spec.ts', 'test/**/*.{spec,api-spec,web-spec}.ts'],
    globalSetup: ['test/support/database.ts'],
    // A worker loads the service once for all of its files, and the modules of the specs for each.
    isolate: false,
    setupFiles: ['reflect-metadata', 'test/support/fresh-modules.ts'],
    server: { deps: { external: [/\/build\//] } },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
