/**
 * Counts the steps that a backtracking matcher takes with a regular expression, so that a test can tell without a clock
 * whether its time grows as its text does.
 */

type Node =
  | { kind: 'characters'; source: string }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; of: Node[] }
  | { kind: 'group'; number: number | undefined; inner: Node }
  | { kind: 'look'; isBehind: boolean; isNegative: boolean; inner: Node }
  | { kind: 'edge'; source: string }
  | { kind: 'back'; number: number }
  | { kind: 'repeat'; inner: Node; least: number; most: number; isLazy: boolean };

type Repeat = Extract<Node, { kind: 'repeat' }>;

export class CountedPattern {
  private readonly root: Node;
  private readonly characters = new Map<string, Map<string, boolean>>();
  private readonly captures: (string | undefined)[] = [];
  private text = '';
  private steps = 0;
  private most = 0;

  constructor(
    source: string,
    private readonly flags: string,
  ) {
    this.root = new PatternParser(source, flags).parse();
  }

  /** Up to `most`: of the first match, or with the flag `g` of all. */
  stepsOn(text: string, most: number): number {
    this.text = text;
    this.steps = 0;
    this.most = most;
    try {
      for (let from = 0; from <= text.length; ) {
        let end = -1;
        const found = this.match(this.root, from, (at) => {
          end = at;
          return true;
        });
        if (this.flags.includes('y') || (found && !this.flags.includes('g'))) break;
        from = found ? Math.max(end, from + 1) : from + 1;
      }
    } catch (error) {
      if (error !== tooMany) throw error;
    }
    return this.steps;
  }

  /** Texts that repeat what each of its repetitions takes, behind the shortest text that leads there. */
  *attacks(length: number): Generator<string> {
    for (const { prefix, repeat } of repeatsIn(this.root, '', this)) {
      const one = this.sample(repeat.inner);
      const pumps = signs.filter((letter) => this.takes(repeat.inner, letter));
      for (const pump of new Set([...pumps, one, prefix, prefix + one, one + prefix])) {
        if (pump === '') continue;
        for (const suffix of ['', '\u0001', '\n!', ' x"'])
          yield prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
      }
    }
  }

  /** A short text that it takes. */
  sample(node: Node): string {
    switch (node.kind) {
      case 'characters':
        return letters.find((letter) => this.holds(node.source, letter)) ?? '';
      case 'sequence':
        return node.parts.map((part) => this.sample(part)).join('');
      case 'choice':
        return this.sample(node.of[0]!);
      case 'group':
        return this.sample(node.inner);
      case 'repeat':
        return this.sample(node.inner).repeat(node.least);
      default:
        return '';
    }
  }

  private takes(node: Node, text: string): boolean {
    this.text = text;
    this.steps = 0;
    this.most = 1000;
    return this.match(node, 0, (at) => at === text.length);
  }

  private holds(source: string, letter: string): boolean {
    const kept = this.characters.get(source) ?? new Map<string, boolean>();
    this.characters.set(source, kept);
    let holds = kept.get(letter);
    if (holds === undefined) {
      holds = new RegExp(`^(?:${source})$`, this.flags.replace(/[gym]/g, '')).test(letter);
      kept.set(letter, holds);
    }
    return holds;
  }

  private match(node: Node, at: number, next: (at: number) => boolean): boolean {
    this.steps += 1;
    if (this.steps > this.most) throw tooMany;
    switch (node.kind) {
      case 'characters':
        return at < this.text.length && this.holds(node.source, this.text[at]!) && next(at + 1);
      case 'sequence':
        return this.sequence(node.parts, 0, at, next);
      case 'choice':
        return node.of.some((one) => this.match(one, at, next));
      case 'group':
        return this.group(node.number, node.inner, at, next);
      case 'look':
        return this.look(node.inner, node.isBehind, at) !== node.isNegative && next(at);
      case 'edge':
        return this.isEdge(node.source, at) && next(at);
      case 'back': {
        const captured = this.captures[node.number] ?? '';
        return this.text.startsWith(captured, at) && next(at + captured.length);
      }
      case 'repeat':
        return node.inner.kind === 'characters'
          ? this.repeatOne(node, node.inner.source, at, next)
          : this.repeat(node, 0, at, next);
    }
  }

  private sequence(parts: Node[], index: number, at: number, next: (at: number) => boolean): boolean {
    const part = parts[index];
    return part ? this.match(part, at, (end) => this.sequence(parts, index + 1, end, next)) : next(at);
  }

  private group(number: number | undefined, inner: Node, at: number, next: (at: number) => boolean): boolean {
    if (number === undefined) return this.match(inner, at, next);
    const before = this.captures[number];
    const matches = this.match(inner, at, (end) => {
      this.captures[number] = this.text.slice(at, end);
      return next(end);
    });
    if (!matches) this.captures[number] = before;
    return matches;
  }

  private look(inner: Node, isBehind: boolean, at: number): boolean {
    if (!isBehind) return this.match(inner, at, () => true);
    const [least, most] = lengthsOf(inner);
    for (let from = at - least; from >= Math.max(at - most, 0); from -= 1)
      if (this.match(inner, from, (end) => end === at)) return true;
    return false;
  }

  private isEdge(source: string, at: number): boolean {
    const { text } = this;
    const isMultiline = this.flags.includes('m');
    if (source === '^') return at === 0 || (isMultiline && text[at - 1] === '\n');
    if (source === '$') return at === text.length || (isMultiline && text[at] === '\n');
    const isInside = /\w/.test(text[at - 1] ?? '') === /\w/.test(text[at] ?? '');
    return isInside === (source === '\\B');
  }

  private repeatOne(
    { least, most, isLazy }: Repeat,
    source: string,
    at: number,
    next: (at: number) => boolean,
  ): boolean {
    let end = at;
    const more = (): boolean => {
      this.steps += 1;
      if (this.steps > this.most) throw tooMany;
      return end - at < most && end < this.text.length && this.holds(source, this.text[end]!);
    };
    if (isLazy) {
      for (;;) {
        if (end - at >= least && next(end)) return true;
        if (!more()) return false;
        end += 1;
      }
    }
    while (more()) end += 1;
    for (; end - at >= least; end -= 1) {
      this.steps += 1;
      if (next(end)) return true;
    }
    return false;
  }

  private repeat(node: Repeat, times: number, at: number, next: (at: number) => boolean): boolean {
    const once = (): boolean =>
      times < node.most &&
      this.match(node.inner, at, (end) => (end > at || times < node.least) && this.repeat(node, times + 1, end, next));
    if (times < node.least) return once();
    return node.isLazy ? next(at) || once() : once() || next(at);
  }
}

const tooMany = new Error('too many steps');

const signs = [' ', 'a', '0', '\t', '\n', ...'"\'\\,;=(){}[]<>/-%&:.*+?!#@|_^`~$Aé€'];

const letters = [...signs, ...'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789\r'];

/** Of the shortest and of the longest text that it takes. */
function lengthsOf(node: Node): [least: number, most: number] {
  switch (node.kind) {
    case 'characters':
      return [1, 1];
    case 'sequence':
      return node.parts.map(lengthsOf).reduce(([a, b], [least, most]) => [a + least, b + most], [0, 0]);
    case 'choice': {
      const lengths = node.of.map(lengthsOf);
      return [Math.min(...lengths.map(([least]) => least)), Math.max(...lengths.map(([, most]) => most))];
    }
    case 'group':
      return lengthsOf(node.inner);
    case 'repeat': {
      const [least, most] = lengthsOf(node.inner);
      return [least * node.least, most * node.most];
    }
    case 'back':
      return [0, Number.POSITIVE_INFINITY];
    default:
      return [0, 0];
  }
}

/** The repetitions without a bound, each with the text that leads to it. */
function* repeatsIn(
  node: Node,
  prefix: string,
  pattern: CountedPattern,
): Generator<{ prefix: string; repeat: Repeat }> {
  switch (node.kind) {
    case 'sequence': {
      let before = prefix;
      for (const part of node.parts) {
        yield* repeatsIn(part, before, pattern);
        before += pattern.sample(part);
      }
      break;
    }
    case 'choice':
      for (const one of node.of) yield* repeatsIn(one, prefix, pattern);
      break;
    case 'group':
    case 'look':
      yield* repeatsIn(node.inner, prefix, pattern);
      break;
    case 'repeat':
      if (node.most === Number.POSITIVE_INFINITY) yield { prefix, repeat: node };
      yield* repeatsIn(node.inner, prefix, pattern);
  }
}

class PatternParser {
  private at = 0;
  private groups = 0;
  private readonly names: string[] = [];

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  parse(): Node {
    const node = this.choice();
    if (this.at < this.source.length) throw new Error(`${this.source} is not read at ${this.at}`);
    return node;
  }

  private choice(): Node {
    const of = [this.sequence()];
    while (this.take('|')) of.push(this.sequence());
    return of.length === 1 ? of[0]! : { kind: 'choice', of };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at]!)) parts.push(this.repeated(this.atom()));
    return { kind: 'sequence', parts };
  }

  private repeated(inner: Node): Node {
    const [all, from, comma, to, sign] = /^(?:\{(\d+)(,?)(\d*)\}|([*+?]))/.exec(this.source.slice(this.at)) ?? [];
    if (all === undefined) return inner;
    this.at += all.length;
    const isLazy = this.take('?');
    const endless = Number.POSITIVE_INFINITY;
    const [least, most] = sign
      ? { '*': [0, endless], '+': [1, endless], '?': [0, 1] }[sign]!
      : [Number(from), comma ? (to ? Number(to) : endless) : Number(from)];
    return { kind: 'repeat', inner, least: least!, most: most!, isLazy };
  }

  private atom(): Node {
    const rest = this.source.slice(this.at);
    const look = /^\(\?(<?)([=!])/.exec(rest);
    if (look) return this.inner(look[0], (inner) => this.looking(look, inner));
    const plain = /^\(\?[a-z-]*:/.exec(rest);
    if (plain) return this.inner(plain[0], (inner) => ({ kind: 'group', number: undefined, inner }));
    const group = /^\((?:\?<(\w+)>)?/.exec(rest);
    if (group) {
      this.groups += 1;
      const number = this.groups;
      if (group[1]) this.names[number] = group[1];
      return this.inner(group[0], (inner) => ({ kind: 'group', number, inner }));
    }
    if (/^[\^$]|^\\[bB]/.test(rest)) return { kind: 'edge', source: this.skip(rest[0] === '\\' ? 2 : 1) };
    const back = /^\\(?:([1-9])|k<(\w+)>)/.exec(rest);
    if (back) {
      this.at += back[0].length;
      return { kind: 'back', number: back[1] ? Number(back[1]) : this.names.indexOf(back[2]!) };
    }
    if (rest[0] === '[')
      return { kind: 'characters', source: this.skip(lengthOfClass(rest, this.flags.includes('v'))) };
    const escaped = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|.)/i.exec(rest);
    const length = escaped?.[0].length ?? (rest.codePointAt(0)! > 0xffff ? 2 : 1);
    return { kind: 'characters', source: this.skip(length) };
  }

  private looking([, behind, sign]: RegExpExecArray, inner: Node): Node {
    return { kind: 'look', isBehind: behind === '<', isNegative: sign === '!', inner };
  }

  private inner(begin: string, made: (inner: Node) => Node): Node {
    this.at += begin.length;
    const node = this.choice();
    if (!this.take(')')) throw new Error(`${this.source} has an open bracket`);
    return made(node);
  }

  private take(sign: string): boolean {
    if (this.source[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private skip(length: number): string {
    this.at += length;
    return this.source.slice(this.at - length, this.at);
  }
}

/** Classes of the flag `v` stand in each other. */
function lengthOfClass(rest: string, isNested: boolean): number {
  let depth = 0;
  for (let at = 0; at < rest.length; at += 1) {
    if (rest[at] === '\\') at += 1;
    else if (rest[at] === '[') depth += depth === 0 || isNested ? 1 : 0;
    else if (rest[at] === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`${rest} has an open class`);
}
