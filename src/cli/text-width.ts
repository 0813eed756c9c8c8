/** How many columns of a terminal a text takes: letters of East Asia and emoji take two, marks above a letter none. */

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What Unicode calls wide (UAX 11), by its blocks. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;

const unseen = /^[\p{M}\p{Cf}]+$/u;

export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of letters.segment(text)) width += widthOfLetter(segment);
  return width;
}

const widthOfLetter = (letter: string): number => (wide.test(letter) ? 2 : unseen.test(letter) ? 0 : 1);

/** Filled up with blanks, or cut at the end of a letter, to just that width. */
export function widthwise(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let [kept, taken] = ['', 0];
  for (const { segment } of letters.segment(text)) {
    const more = widthOfLetter(segment);
    if (taken + more > width - 1) break;
    kept += segment;
    taken += more;
  }
  return `${kept}…${' '.repeat(width - 1 - taken)}`;
}
