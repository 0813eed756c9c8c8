/** Before each file: what specs and their support keep between tests begins anew, in a worker that runs many files. */
import { vi } from 'vitest';

vi.resetModules();
