/** The version of the service, as its package says. */
import { readFileSync } from 'node:fs';
import { installation } from './installation.js';

const text = readFileSync(new URL('package.json', installation), 'utf8');

export const version = (JSON.parse(text) as { version: string }).version;
