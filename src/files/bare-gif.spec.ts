/** What is kept of a GIF, block by block. */
import { describe, expect, it } from 'vitest';
import { bareGif, mostBlocks } from './bare-gif.js';
import { PictureError } from './picture-error.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const header = '474946383961 0100 0100 80 00 00 ffffff 000000';
const control = '21 f9 04 01 0000 00 00';
const comment = '21 fe 01 61 00';
const image = '2c 0000 0000 0100 0100 00 02 02 4401 00';
const withColours = '2c 0000 0000 0100 0100 80 ffffff 3b3b3b 02 02 4401 00';

describe('of a GIF', () => {
  it.each([
    ['one image stays', [header, image, '3b'], [header, image, '3b']],
    ['other images go', [header, image, image, control, image, '3b'], [header, image, '3b']],
    ['an image has colours of its own', [header, withColours, image, '3b'], [header, withColours, '3b']],
    ['what says how it is shown stays', [header, control, image, '3b'], [header, control, image, '3b']],
    ['that counts once', [header, control, control, image, '3b'], [header, control, image, '3b']],
    ['of another length it goes', [header, '21 f9 03 010000 00', image, '3b'], [header, image, '3b']],
    ['comments go', [header, comment, comment, image, comment, '3b'], [header, image, '3b']],
    ['an end is added', [header, image], [header, image, '3b']],
  ])('%s', (_, given, kept) => {
    expect(bareGif(hex(given.join(''))).toString('hex')).toBe(hex(kept.join('')).toString('hex'));
  });

  it.each([
    ['no bytes', ''],
    ['a header alone', header],
    ['no image', `${header} 3b`],
    ['a comment that is cut off', `${header} 21 fe 05 61`],
  ])('%s is no picture', (_, given) => {
    expect(() => bareGif(hex(given))).toThrow(PictureError);
  });

  it.each([
    ['comments', (count: number) => [hex(header), Buffer.alloc(count * 3, hex('21 fe 00')), hex(image)]],
    ['pixels', (count: number) => [hex(header), hex(image).subarray(0, 11), Buffer.alloc(count * 2, hex('01 44'))]],
  ])('%s without end are no picture', (_, given) => {
    expect(() => bareGif(Buffer.concat(given(mostBlocks - 10)))).not.toThrow();
    expect(() => bareGif(Buffer.concat(given(mostBlocks + 1)))).toThrow(PictureError);
  });
});
