/** What starts the service, and the table of README.md, beside the settings that the service takes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, variables } from '../src/config/config.js';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const { services } = parse(read('compose.yaml'));

it('README.md describes every setting', () => {
  const table = read('README.md');
  expect(variables.filter((name) => !name.startsWith('OTEL_') && !table.includes(`\`${name}\``))).toEqual([]);
});

/** Decided by the image, or by the file itself. */
const settled = ['PORT', 'HOST', 'DATA_DIR'];

it('compose.yaml passes every setting on', () => {
  const passed = Object.keys(services.worktrack.environment);
  expect(variables.filter((name) => !passed.includes(name) && !settled.includes(name))).toEqual([]);
});

it('compose.yaml passes on whatever is documented of traces, also what OpenTelemetry reads by itself', () => {
  const rows = read('docs/operations.md').match(/^\| `OTEL_.*$/gm) ?? [];
  const names = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const whole = names.map((name) => (name.startsWith('_') ? `OTEL_EXPORTER_OTLP${name}` : name));
  expect(whole).toContain('OTEL_EXPORTER_OTLP_HEADERS');
  expect(whole).toContain('OTEL_EXPORTER_OTLP_CERTIFICATE');
  expect(services.worktrack.environment).toMatchObject(
    Object.fromEntries(whole.map((name) => [name, `\${${name}:-}`])),
  );
});

it('compose.yaml starts with nothing set but the passwords', () => {
  const values = Object.entries<string>(services.worktrack.environment).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$/, '$1').replace(/^\$\{\w+:\?.*\}$/, 'chosen by a person'),
  ]);
  expect(loadConfig(Object.fromEntries(values))).toMatchObject({ workers: 1, waitForDatabaseSeconds: 60 });
});

it.each(Object.keys(services))('compose.yaml bounds the memory and processors of %s', (name) => {
  expect(services[name]).toMatchObject({ mem_limit: expect.any(String), cpus: expect.anything() });
});

it('the image and the unit start Node with the options of `npm start`', () => {
  const options = (text: string): string[] => [...text.matchAll(/--[\w-]+=\d+/g)].map(([option]) => option);
  const given = options(JSON.parse(read('package.json')).scripts.start);
  expect(given).not.toEqual([]);
  expect(options(/^CMD .*$/m.exec(read('Dockerfile'))![0])).toEqual(given);
  expect(options(/^ExecStart=.*$/m.exec(read('deploy/worktrack.service'))![0])).toEqual(given);
});

it('images are pinned by their versions', () => {
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of [...bases, services.database.image]) expect(image).toMatch(/:\d+\.\d+/);
});
