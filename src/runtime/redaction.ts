/**
 * What may be logged of a text or an address: no credentials, and no conditions, which hold names and values.
 * Everything that is logged goes through here.
 */

/** Words that paths of the service are made of, in lower case and as they are registered. */
export type PathWords = ReadonlySet<string>;

const hidden = '…';

/**
 * The path of an address up to the first segment that is neither a word of the service nor an id: that may be anything.
 */
export function loggedPath(url: string, words: PathWords): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (path.charCodeAt(0) !== slash) return hidden;
  for (let start = 1, end = 0; start <= path.length && end >= 0; start = end + 1) {
    end = path.indexOf('/', start);
    const segment = path.slice(start, end < 0 ? path.length : end);
    if (!isKnown(segment, words)) return shortened(path.slice(0, start) + wordBefore(segment, words) + hidden);
    if (end < 0) break;
  }
  return shortened(path);
}

const slash = 0x2f;

const isKnown = (segment: string, words: PathWords): boolean =>
  words.has(segment) || /^\d{0,16}$/.test(segment) || words.has(segment.toLowerCase());

/** `Bugs` of `Bugs;token=…` and of `Bugs%3Ftoken=…`. */
function wordBefore(segment: string, words: PathWords): string {
  const word = /^[\w.:-]*/.exec(segment)![0];
  return isKnown(word, words) ? word : '';
}

const shortened = (path: string): string => (path.length > 300 ? `${path.slice(0, 300)}${hidden}` : path);

/** A text such as the message of an error. Without words it is about the service itself, and may name files. */
export function redacted(text: string, words?: PathWords): string {
  const short = text.length > longest ? `${text.slice(0, longest)}${hidden}` : text;
  const addressed = short
    .replace(absoluteAddress, (_, scheme: string, rest: string) => scheme + shownBehindScheme(rest, words))
    .replace(words ? anyPath : ownPath, (path) => shownPath(path, words));
  return rulesFor(addressed).reduce((left, [pattern, by]) => left.replace(pattern, by), addressed);
}

const longest = 4000;

/** Any other value that is logged: texts in it are redacted, and what a secret name holds is left out. */
export function redactedValue(value: unknown, words: PathWords, depth = 4): unknown {
  if (typeof value === 'string') return redacted(value, words);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return hidden;
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, words, depth - 1));
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    secretName.test(name) ? hidden : redactedValue(member, words, depth - 1),
  ]);
  return Object.fromEntries(members);
}

// --- addresses -------------------------------------------------------------------------------------------------------

const anyPath = /(?<![\w./-]|:(?=\/\/))\/\S*/g;

const ownPath =
  /(?<![\w./-]|:(?=\/\/))\/+(?:api|attachment(?:thumbnail)?\.aspx|(?:uploadfile|avatar)\.ashx|login|logout|query|profile|administration|entity|documentation|assets|health)(?![\w.-])\S*/gi;

const shownPath = (path: string, words: PathWords = new Set()): string =>
  loggedPath(path, words) + (path.includes('?') ? `?${hidden}` : '');

/** A quote and what ends a sentence behind it belong to the text around. */
const absoluteAddress = /\b([a-z][a-z\d+.-]*:\/\/)(\S+?)(?=['"]?[,.;:!)]*(?:\s|$))/gi;

/** A user and a password stand before the host, credentials behind the path. */
function shownBehindScheme(rest: string, words?: PathWords): string {
  const [, host, path] = /^([^/]*)(.*)$/s.exec(rest.replace(/^.*@/, `${hidden}@`))!;
  const shown = words && path !== '' ? shownPath(path!, words) : path!;
  return (host! + shown).replace(/(?:[?#;]|%(?:25)*(?:3f|23|3b)).*/is, `?${hidden}`);
}

// --- names that secrets go by ----------------------------------------------------------------------------------------

const secretWords = [
  'token',
  'password',
  'passwd',
  'pwd',
  'secret',
  'authorization',
  'cookie',
  'worktrack_session',
  'worktrack_sign_on',
  'idempotency-key',
  'api_key',
  'api-key',
  'apikey',
];

const secretName = new RegExp(secretWords.join('|'), 'i');

/** A letter as it is, escaped for an address any number of times, or for JSON. */
function spellings(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16)).join('|');
  return `(?:${letter}|%(?:25)*(?:${codes})|\\\\u00(?:${codes}))`;
}

const quote = `\\\\*["']`;
const gap = '\\s{0,3}';
const equals = '(?:=|%(?:25)*3d)';

const secretIn = (spelling: (letter: string) => string): string =>
  `(?:${secretWords.map((word) => [...word].map(spelling).join('')).join('|')})[\\w.-]{0,40}(?:\\[[^\\]\\s]*\\]|%(?:25)*5b\\S*?%(?:25)*5d)?`;

type Rules = readonly (readonly [RegExp, string])[];

const rulesOf = (anySecret: string): Rules => [
  // Members of JSON, headers, attributes and elements of XML: their ends depend on quotes and escapes, so nothing is
  // left behind them.
  [new RegExp(`(${anySecret}(?:${quote})?${gap}(?::|${equals}${gap}${quote})).*`, 'gis'), `$1${hidden}`],
  [new RegExp(`(<[^<>]*${anySecret}[^<>]*>).*`, 'gis'), `$1${hidden}`],
  // Parameters of addresses and forms.
  [new RegExp(`(${anySecret}${gap}${equals})[^&\\s]*`, 'gi'), `$1${hidden}`],
  [/\b(basic|bearer|digest|negotiate)((?:\s|\+|%(?:25)*20)+)[^\s"',;]{4,}/gi, `$1$2${hidden}`],
  [/\b((?:where|filter|select|result|search)(?:=|%(?:25)*3d)).*/gis, `$1${hidden}`],
  // Long texts that nobody could read: most likely a credential without a name.
  [/(?<![\w=-])(?=[\w=-]*[a-z])(?=[\w=-]*[A-Z])(?=[\w=-]*\d)[\w=-]{40,}/g, hidden],
];

const plainRules = rulesOf(secretIn((letter) => letter));
let rulesOfEscapes: Rules | undefined;

/** V8 takes tens of milliseconds to compile the patterns of all spellings, which few texts need. */
function rulesFor(text: string): Rules {
  if (!/%|\\u00/i.test(text)) return plainRules;
  rulesOfEscapes ??= rulesOf(secretIn(spellings));
  return rulesOfEscapes;
}
