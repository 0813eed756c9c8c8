import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors.js';
import { limits } from './limits.js';
import { type KnownParameter, parseParameters, withForm } from './parameters.js';

const refusal = (rawQuery: string): ApiError => {
  try {
    parseParameters(rawQuery);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`not refused: ${rawQuery}`);
};

/** As Node hands over raw bytes: one character each. */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('values', () => {
  it.each<[string, KnownParameter, string | undefined]>([
    ["where=Name eq 'x'", 'where', "Name eq 'x'"],
    ['where=Name+eq+%27a%2Bb%27', 'where', "Name eq 'a+b'"],
    ['where=%28Id%20gt%201%29&take=2', 'where', '(Id gt 1)'],
    ['where=a=b', 'where', 'a=b'],
    ['WHERE=x', 'where', 'x'],
    ['orderbyDesc=Id', 'orderbydesc', 'Id'],
    ['%77here=x', 'where', 'x'],
    ['include=[Name,%20Id]', 'include', '[Name, Id]'],
    ['access_token=abc%3D%3D', 'access_token', 'abc=='],
    ['where=%F0%9F%98%80', 'where', '\u{1f600}'],
    [`where=${bytes('Größe \u{1f600}')}`, 'where', 'Größe \u{1f600}'],
    [`where=${bytes('ö')}%C3%B6`, 'where', 'öö'],
    ['where=%EF%BB%BFx%E2%80%AE', 'where', '\ufeffx\u202e'],
    ['', 'where', undefined],
    ['where', 'where', undefined],
    ['where=', 'where', undefined],
    ['where=+%20', 'where', undefined],
    ['&&take=5&', 'take', '5'],
    ['?=1&=2&take=5', 'take', '5'],
  ])('%s', (rawQuery, name, expected) => expect(parseParameters(rawQuery).get(name)).toBe(expected));
});

describe('encoding', () => {
  const message = 'The query text is not valid percent-encoded UTF-8.';
  it.each([
    ['a bare %', 'where=%'],
    ['a cut escape', 'where=%2'],
    ['no digits', 'where=%zz'],
    ['the %u form', 'where=%u0041'],
    ['not UTF-8', 'where=%ff%fe'],
    ['overlong', 'where=%C0%AF'],
    ['a lone surrogate', 'where=%ED%A0%80'],
    ['a cut sequence', 'where=%F0%9F%98'],
    ['raw bytes that are not UTF-8', 'where=\xff'],
    ['raw characters that are no bytes', 'where=\u0178\u{1f600}'],
    ['in a name', 'wh%ffere=x'],
    ['in a token', 'token=%secret'],
  ])('refuses %s', (_, rawQuery) => expect(refusal(rawQuery).message).toBe(message));

  it('refuses NUL', () =>
    expect(refusal("where=Name eq '%00'").message).toBe('where: the character NUL is not allowed.'));
});

describe('names', () => {
  it.each([
    ['take=1&take=2', 'take'],
    ['take=5&Take=1000', 'Take'],
    ['where=a&WHERE=b', 'WHERE'],
    ['where=&where=x', 'where'],
    ['where=x&%77here', 'where'],
  ])('given twice with other values are refused: %s', (rawQuery, name) =>
    expect(refusal(rawQuery).message).toBe(`Parameter '${name}' is given more than once; give it once.`));

  it.each([
    ['take=1&take=1', 'take', '1'],
    ['where=a%20b&WHERE=a+b', 'where', 'a b'],
    ['where=&where=', 'where', undefined],
    ['ids=1,2&ids=1,2', 'ids', '1,2'],
  ] as const)('given twice with the same value are given once: %s', (rawQuery, name, value) =>
    expect(parseParameters(rawQuery).get(name)).toBe(value));

  it.each([
    ['ids[]=1&ids[]=2', 'ids', '1,2'],
    ['projectIds%5B%5D=1&PROJECTIDS[]=1', 'projectids', '1,1'],
    ['teamIds[]=5', 'teamids', '5'],
    ['ids[0]=1&ids[1]=2', 'ids', '1,2'],
    ['ids%5B10%5D=1&IDS[]=2&ids=3', 'ids', '1,2,3'],
    ['ids=3&ids[0]=1', 'ids', '3,1'],
  ] as const)('of ids may be lists: %s', (rawQuery, name, value) =>
    expect(parseParameters(rawQuery).get(name)).toBe(value));

  it.each([
    ['where[]=x', 'where[]'],
    ['where[0]=x', 'where[]'],
    ['where%5B%5D=x', 'where[]'],
    ['Where[a]=b', 'Where[]'],
    ['format[]=json', 'format[]'],
    ['token[secret]=secret', 'token[]'],
    ['take[a][b][c]=1', 'take[]'],
  ])('as arrays are refused: %s', (rawQuery, name) =>
    expect(refusal(rawQuery).message).toBe(`Parameter '${name}' is written as an array; write its plain name once.`));

  it.each([
    'include[Id,Name]',
    'Exclude%5BId%5D',
    'resultAppend[Tasks-Count]',
    'include[]',
  ])('that give fields no value are as if absent: %s', (rawQuery) => {
    const parameters = parseParameters(`${rawQuery}&take=1`);
    for (const name of ['include', 'exclude', 'resultappend'] as const) expect(parameters.get(name)).toBe(undefined);
    expect(parameters.get('take')).toBe('1');
  });

  it.each([
    ['where[Id eq 5]', 'where[]'],
    ['include[]=', 'include[]'],
    ['include[Id]=Name', 'include[]'],
  ])('that could be filters or lists are refused: %s', (rawQuery, name) =>
    expect(refusal(rawQuery).message).toBe(`Parameter '${name}' is written as an array; write its plain name once.`));

  it.each(['ids[x]=8', 'ids[-1]=1', 'ids[0][]=1'])('as lists of ids are refused: %s', (rawQuery) =>
    expect(refusal(rawQuery).message).toBe("Parameter 'ids' is a list of ids; write ids=1,2 or ids[]=1&ids[]=2."));

  it.each([
    ['were', 'where'],
    ['where_', 'where'],
    ['whrere', 'where'],
    ['Hwere', 'where'],
    ['where ', 'where'],
    ['where.', 'where'],
    ['in.clude', 'include'],
    ['$where', 'where'],
    ['inlcude', 'include'],
    ['includes', 'include'],
    ['exlude', 'exclude'],
    ['apend', 'append'],
    ['tak', 'take'],
    ['skp', 'skip'],
    ['order_by', 'orderBy'],
    ['oderbydes', 'orderByDesc'],
    ['inner_take', 'innerTake'],
    ['formta', 'format'],
    ['tokne', 'token'],
    ['accesstoken', 'access_token'],
    ['projectId', 'projectIds'],
  ])('that are misspelt are refused: %s', (name, suggestion) =>
    expect(refusal(`${name}=secret`).message).toBe(`Unknown parameter '${name}'. Did you mean '${suggestion}'?`));

  it.each([
    ...['_', '_dc', 'rnd', 'ts', 'v', 'nocache', 'timestamp', 'select', 'filter', 'limit', 'page', 'offset', 'state'],
    ...[
      'from',
      'form',
      'id',
      'q',
      'r',
      't',
      'cb',
      'random',
      'cache',
      'version',
      'time',
      'date',
      'type',
      'sort',
      'size',
    ],
    ...['fields', 'expand', 'utm_source', 'constructor', '__proto__', 'a[b][c]', 'x.where', 'filter[]'],
  ])('that are unknown are ignored, whatever the value: %s', (name) => {
    const parameters = parseParameters(`${name}=%&take=5&${name}=1`);
    expect(parameters.get('take')).toBe('5');
  });

  it('are found among those we know only', () =>
    expect(parseParameters('constructor=x').get('constructor' as KnownParameter)).toBeUndefined());
});

describe('limits', () => {
  it('refuses long texts before anything else', () => {
    const { status, message } = refusal(`where=%${'a'.repeat(limits.queryBytes)}`);
    expect([status, message]).toEqual(['UriTooLong', 'The query text is longer than 16384 bytes.']);
    expect(refusal(`${'a'.repeat(100 * 1024)}=1`).status).toBe('UriTooLong');
  });

  it('takes texts up to the limit', () =>
    expect(parseParameters(`where=${'a'.repeat(limits.queryBytes - 6)}`).get('where')).toHaveLength(16378));

  it('refuses many parameters', () => {
    expect(refusal(Array(2000).fill('a=1').join('&')).message).toBe(
      'query: too many parameters; at most 200 are allowed.',
    );
    expect(() => parseParameters(Array(200).fill('a=1').join('&'))).not.toThrow();
  });

  it('never repeats a credential', () => {
    for (const query of ['token=secret&token=secrets', 'access_token[]=secret', 'tokn=secret', 'token=secret%']) {
      expect(refusal(query).message).not.toContain('secret');
    }
  });
});

it.each([
  ['', 'take=1', 'take=1'],
  ['take=1', 'take=2&skip=3', 'take=1&skip=3'],
  ['TAKE=1', 't%61ke=2&format=json', 'TAKE=1&format=json'],
  ['take=&skip', 'take=2&skip=3', 'take=2&skip=3'],
  ['take=1', 'where=a&where=b', 'take=1&where=a&where=b'],
  ['ids[]=1', 'ids=2', 'ids[]=1'],
  ['a=%', '%=1&b=%', 'a=%&%=1&b=%'],
  ['take=1', '&&', 'take=1'],
])('the address "%s" with the form "%s"', (query, form, both) => expect(withForm(query, form)).toBe(both));
