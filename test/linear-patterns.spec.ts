/** Regular expressions of the service take as many steps as their texts have characters, not the square of that. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript-5';
import { describe, expect, it } from 'vitest';
import { CountedPattern } from './support/steps-of-pattern.js';

/** They read no text that a client chooses the length of. */
const ofOwnTexts: Readonly<Record<string, string>> = {
  'auth/base64.ts /=+$/': 'what Node.js encoded ends with at most two',
  'passwords/password-hash.ts /=+$/': 'what Node.js encoded ends with at most two',
  'cli/client/hosts.ts /\\/+$/': 'an address that the user of the command line gives',
  'cli/client/service.ts /\\s*\\n\\s*/g': 'an answer that the command line shows',
  'command/assign-values.ts /0+$/': 'at most 30 places of a decimal',
  'command/validate.ts /(\\d+) characters/': 'a message of the validator',
  'config/config-values.ts /\\/+$/': 'a variable of the environment',
  'config/secret-files.ts /[\\r\\n]+$/': 'a file of the operator',
  'runtime/redaction.ts /\\b([a-z][a-z\\d+.-]*:\\/\\/)(\\S+?)(?=[\'"]?[,.;:!)]*(?:\\s|$))/gi':
    'at most 4,000 characters',
  'config/tracing.ts /^\\d*\\.?\\d+$/': 'a variable of the environment',
  'web/assets.ts /\\n\\/\\/# sourceMappingURL=.*\\s*$/': 'a file of the service',
};

const root = new URL('../src/', import.meta.url);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('database/migrations/'))
  .sort();

function patternsIn(file: string): string[] {
  const patterns: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) patterns.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(new URL(file, root), 'utf8'), ts.ScriptTarget.Latest, true));
  return patterns;
}

const short = 48;
const long = 4 * short;
const most = 1000 * long;

/** Undefined: four times the text never takes much more than four times the steps. */
function attackOn(literal: string): string | undefined {
  const end = literal.lastIndexOf('/');
  const pattern = new CountedPattern(literal.slice(1, end), literal.slice(end + 1));
  const shortTexts = pattern.attacks(short);
  for (const text of pattern.attacks(long)) {
    const shortText: string = shortTexts.next().value;
    const steps = pattern.stepsOn(text, most);
    if (steps >= most || (steps > 8 * long && steps > 6 * pattern.stepsOn(shortText, most))) return shortText;
  }
  return undefined;
}

describe('steps of a pattern', () => {
  it.each([
    '/^\\s*a?\\s*$/',
    '/\\s+$/',
    '/(?:a+)+b/',
    '/^(a[^"]*?)\\s*$/',
    '/<b.*?<\\/b/gs',
  ])('are more than linear: %s', (literal) => expect(attackOn(literal)).toBeDefined());

  it.each([
    '/^\\s*a/',
    '/\\s+/g',
    '/^(?:a|b)+$/',
    '/"[^"]*"?/g',
    '/^\\s{0,9}a?\\s{0,9}$/',
    '/(?<!a)a+(?:b|$)/',
  ])('are linear: %s', (literal) => expect(attackOn(literal)).toBeUndefined());
});

describe('patterns of the service', () => {
  it('are linear, but for those of texts that no client sends', () => {
    const slow = files.flatMap((file) =>
      patternsIn(file)
        .filter((literal) => attackOn(literal) !== undefined)
        .map((literal) => `${file} ${literal}`),
    );
    expect(slow.sort()).toEqual(Object.keys(ofOwnTexts).sort());
  });
});
