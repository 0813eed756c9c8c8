/**
 * Turns rich text as it is stored into HTML that is safe to stand in a page. Text that begins with the mark is Markdown
 * whatever the setting says; with Markdown as the setting all text is, since Markdown may hold HTML tags anyway.
 */
import { escapeHtml } from './escape-html.js';
import { markdownToHtml } from './markdown.js';
import { sanitiseHtml, TooDeep } from './sanitise-html.js';

export type RichEditor = 'Html' | 'Markdown';

const mark = '<!--markdown-->';

/** The most that is rendered of one text: more than anybody reads, and little enough to be quick whatever it holds. */
export const shownCharacters: Readonly<Record<RichEditor, number>> = { Html: 200_000, Markdown: 100_000 };

/**
 * The HTML may close elements around it that it is allowed to hold itself, so it is put into a `section`, which it is
 * not.
 */
export function renderRichText(text: string, defaultEditor: RichEditor): string {
  const isMarked = text.startsWith(mark);
  const content = isMarked ? text.slice(mark.length) : text;
  const editor = isMarked ? 'Markdown' : defaultEditor;
  const limit = shownCharacters[editor];
  const shown = withoutControls(content.slice(0, limit));
  const safe = sanitisedOrSource(editor === 'Markdown' ? markdownToHtml(shown) : shown, shown);
  return content.length > limit ? safe + cutNote(limit) : safe;
}

/** What is nested beyond reason was not written to be read: it is shown as it was written. */
function sanitisedOrSource(html: string, source: string): string {
  try {
    return sanitiseHtml(html);
  } catch (error) {
    if (error instanceof TooDeep) return `${deepNote}<pre>${escapeHtml(source)}</pre>`;
    throw error;
  }
}

/**
 * Browsers skip some of them, so that a tag could look like another one to the sanitiser; a cut may halve a character.
 */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are dropped
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

const note = (text: string): string => `<p><em>${text}</em></p>`;
const cutNote = (limit: number): string =>
  note(`The rest is not shown: this text is longer than ${limit.toLocaleString('en')} characters.`);
const deepNote = note('This text is nested too deeply to be shown as it was meant; here is its source.');
