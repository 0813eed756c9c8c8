/** What is kept of a WebP, chunk by chunk. */
import { describe, expect, it } from 'vitest';
import { bareWebp, mostChunks } from './bare-webp.js';
import { PictureError } from './picture-error.js';

function chunk(type: string, body: Buffer = Buffer.from('body')): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
const webp = (...chunks: readonly Buffer[]): Buffer => chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

const head = (flags: number): Buffer => chunk('VP8X', Buffer.concat([Buffer.of(flags), Buffer.alloc(9)]));
const frame = (...inner: readonly Buffer[]): Buffer => chunk('ANMF', Buffer.concat([Buffer.alloc(16), ...inner]));
const [pixels, lossless, alpha] = [chunk('VP8 '), chunk('VP8L', Buffer.from('odd')), chunk('ALPH')];
const [animation, profile, camera, other] = [
  chunk('ANIM', Buffer.alloc(6)),
  chunk('ICCP'),
  chunk('EXIF'),
  chunk('abcd'),
];
const one = frame(pixels);

describe('of a WebP', () => {
  it.each<[string, Buffer[], Buffer[]]>([
    ['pixels stay', [pixels], [pixels]],
    ['pixels without loss stay', [lossless], [lossless]],
    ['what is behind the pixels goes', [pixels, pixels, other], [pixels]],
    ['profile and camera stay', [head(0x28), profile, pixels, camera], [head(0x28), profile, pixels, camera]],
    ['they count once', [head(0x28), profile, profile, pixels, camera, camera], [head(0x28), profile, pixels, camera]],
    ['what is not there is not announced', [head(0x2c), other, pixels, other], [head(0), pixels]],
    ['transparency stays', [head(0x10), alpha, pixels], [head(0x10), alpha, pixels]],
    ['other frames go', [head(2), animation, one, one, one], [head(2), animation, one]],
    ['what is behind them stays', [head(0x0a), animation, one, one, camera], [head(0x0a), animation, one, camera]],
    [
      'a frame is transparent',
      [head(0x12), animation, frame(alpha, pixels)],
      [head(0x12), animation, frame(alpha, pixels)],
    ],
    ['frames in a frame go', [head(2), animation, frame(lossless, one, one)], [head(2), animation, frame(lossless)]],
  ])('%s', (_, given, kept) => {
    expect(bareWebp(webp(...given)).toString('latin1')).toBe(webp(...kept).toString('latin1'));
  });

  it('a profile of more than 1 MiB goes', () => {
    const long = chunk('ICCP', Buffer.alloc(2 ** 20 + 1));
    expect(bareWebp(webp(head(0x20), long, pixels)).equals(webp(head(0), pixels))).toBe(true);
  });

  it('behind very many chunks nothing is looked for', () => {
    const many = Array.from({ length: mostChunks }, () => one);
    expect(bareWebp(webp(head(0x0a), animation, ...many, camera)).includes('EXIF')).toBe(false);
    expect(() => bareWebp(webp(head(0), ...many, pixels))).toThrow(PictureError);
  });

  it.each<[string, Buffer]>([
    ['no bytes', Buffer.alloc(0)],
    ['a header alone', webp()],
    ['pixels that are cut off', webp(pixels).subarray(0, 22)],
    ['a short head', webp(chunk('VP8X'), pixels)],
    ['an animation without frames', webp(head(2), animation)],
    ['a frame without pixels', webp(head(2), animation, frame(alpha))],
    ['a frame that begins otherwise', webp(head(2), animation, frame(other, pixels))],
    ['a short frame', webp(head(2), animation, chunk('ANMF'))],
  ])('%s is no picture', (_, bytes) => {
    expect(() => bareWebp(bytes)).toThrow(PictureError);
  });
});
