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
    // Bounds for what hangs; a slow machine stays far below.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
  },
});
