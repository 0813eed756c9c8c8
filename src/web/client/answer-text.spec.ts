import { describe, expect, it } from 'vitest';
import { linksIn, messageIn } from './answer-text.js';

const answer = (text: string) => ({ status: 200, isJson: text.startsWith('{'), text, milliseconds: 1, bytes: 1 });

describe('an answer', () => {
  it('leads to its neighbours, in both formats', () => {
    const [next, previous] = ['http://h/api/v1/Bugs/?take=1&skip=2', 'http://h/api/v1/Bugs/?take=1&skip=0'];
    expect(linksIn(answer(JSON.stringify({ Prev: previous, Next: next, Items: [] })))).toEqual({ next, previous });
    const xml = `<Bugs Prev="${previous.replace('&', '&amp;')}" Next="${next.replace('&', '&amp;')}">\n<Bug Next="no" /></Bugs>`;
    expect(linksIn(answer(xml))).toEqual({ next, previous });
    expect(linksIn(answer('<Bugs><Bug Next="no" /></Bugs>'))).toEqual({});
    expect(linksIn(answer('{"Items":[]}'))).toEqual({});
  });

  it('says what was refused, in both formats', () => {
    expect(messageIn('{"Message":"No \\"x\\"."}')).toBe('No "x".');
    expect(messageIn('<Error><Message>No &lt;x&gt; &amp;lt; &#65;&#x42;\nline</Message></Error>')).toBe(
      'No <x> &lt; AB\nline',
    );
    expect(messageIn('<html>')).toBe('');
  });
});
