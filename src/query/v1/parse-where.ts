/** Turns the text of `where` into a Filter, or says where it stops making sense. */
import { type Comparison, comparisonNames, type PartRow, partOperators } from '../operators.js';
import type { Filter, Literal, Path, Where } from './query.js';
import { Scanner, scanPath, scanSeparated, scanValue, type Word } from './scanner.js';

export function parseWhere(text: string): Where {
  const scanner = new Scanner('where', text);
  const filter = anyOf(scanner);
  scanner.end("'and', 'or' or the end");
  return { filter, words: scanner.words.map((word) => word.text), ...shapeOf(text, scanner.words) };
}

/** What may stand for something else than itself. */
const special = /^\s*(?:null|@?(?:today|tomorrow|yesterday))/i;

function shapeOf(text: string, words: readonly Word[]): Pick<Where, 'shape' | 'free'> {
  const free: number[] = [];
  let shape = '';
  let done = 0;
  for (const [place, word] of words.entries()) {
    if (special.test(word.text)) continue;
    free.push(place);
    shape += `${text.slice(done, word.start)}\0`;
    done = word.end;
  }
  return { free, shape: shape + text.slice(done) };
}

const anyOf = (scanner: Scanner): Filter => joined('or', allOf, scanner);
const allOf = (scanner: Scanner): Filter => joined('and', factor, scanner);

/** One part stays itself, and parts of the same kind melt into one: `(a and b) and c` has three. */
function joined(kind: 'and' | 'or', part: (scanner: Scanner) => Filter, scanner: Scanner): Filter {
  const parts = [part(scanner)];
  while (scanner.takeWord(kind)) parts.push(part(scanner));
  if (parts.length === 1) return parts[0]!;
  return { kind, parts: parts.flatMap((filter) => (filter.kind === kind ? filter.parts : [filter])) };
}

function factor(scanner: Scanner): Filter {
  if (scanner.take('(')) return group(scanner);
  if (scanner.takeCall('not')) return { kind: 'not', part: group(scanner) };
  scanner.spend('conditions');
  return condition(scanner, scanPath(scanner));
}

/** What follows an opening parenthesis, up to the closing one. */
function group(scanner: Scanner): Filter {
  const filter = scanner.within('nesting', () => anyOf(scanner));
  if (!scanner.take(')')) throw scanner.refuse("'and', 'or' or ')'");
  return filter;
}

function condition(scanner: Scanner, path: Path): Filter {
  const operator = scanner.takeFrom(operators);
  if (!operator) throw scanner.refuse('an operator');
  return operator(scanner, path);
}

/** What follows the operator's first word. */
type Operator = (scanner: Scanner, path: Path) => Filter;

const compare =
  (operator: Comparison): Operator =>
  (scanner, path) => ({ kind: 'compare', path, operator, value: scanValue(scanner) });

const contains =
  (part: PartRow, negated: boolean): Operator =>
  (scanner, path) => ({ kind: 'contains', path, negated, value: scanValue(scanner), operator: part });

const partWords = (negated: boolean): [string, Operator][] =>
  partOperators.flatMap((part) => (part.word ? [[part.word, contains(part, negated)]] : []));

const isIn =
  (negated: boolean): Operator =>
  (scanner, path) => ({ kind: 'in', path, negated, values: values(scanner) });

const isNull: Operator = (scanner, path) => {
  const negated = scanner.takeWord('not');
  if (!scanner.takeWord('null')) throw scanner.refuse(negated ? "'null'" : "'null' or 'not null'");
  return { kind: 'null', path, negated };
};

const isNot: Operator = (scanner, path) => {
  const operator = scanner.takeFrom(negatedOperators);
  if (!operator) throw scanner.refuse([...negatedOperators.keys()].map((word) => `'${word}'`).join(' or '));
  return operator(scanner, path);
};

const negatedOperators = new Map<string, Operator>([['in', isIn(true)], ...partWords(true)]);

const operators = new Map<string, Operator>([
  ...comparisonNames.map((name): [string, Operator] => [name, compare(name)]),
  ...partWords(false),
  ['in', isIn(false)],
  ['is', isNull],
  ['not', isNot],
]);

function values(scanner: Scanner): Literal[] {
  const isBracketed = scanner.take('[');
  if (!isBracketed && !scanner.take('(')) throw scanner.refuse("'('");
  const closing = isBracketed ? ']' : ')';
  let count = 0;
  const values = scanSeparated(scanner, () => {
    scanner.check('listValues', ++count);
    return scanValue(scanner);
  });
  if (!scanner.take(closing)) throw scanner.refuse(`',' or '${closing}'`);
  return values;
}
