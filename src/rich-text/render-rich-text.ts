/**
 * Turns rich text as it is stored into HTML that is safe to stand in a page. Text that begins with the mark is Markdown
 * whatever the setting says; with Markdown as the setting all text is, since Markdown may hold HTML tags anyway.
 */
import { escapeHtml } from './escape-html.js';
import { markdownToHtml } from './markdown.js';
import { sanitiseHtml, TooDeep } from './sanitise-html.js';
import { type RichEditor, shownCharacters, understood } from './shown-text.js';
import { TooMuch } from './too-much.js';

/**
 * `root` is the path that the service is reachable at, without a slash at the end: links to its own addresses begin
 * with it. The HTML may close elements around it that it is allowed to hold itself, so it is put into a `section`,
 * which it is not.
 */
export function renderRichText(text: string, defaultEditor: RichEditor, root = ''): string {
  const { content, editor } = understood(text, defaultEditor);
  const limit = shownCharacters[editor];
  const shown = withoutControls(content.slice(0, limit));
  const safe = sanitisedOrSource(shown, editor, root);
  return content.length > limit ? safe + cutNote(limit) : safe;
}

/** What is beyond reason was not written to be read: it is shown as it was written. */
function sanitisedOrSource(source: string, editor: RichEditor, root: string): string {
  try {
    return sanitiseHtml(editor === 'Markdown' ? markdownToHtml(source) : source, root);
  } catch (error) {
    if (error instanceof TooDeep) return `${deepNote}<pre>${escapeHtml(source)}</pre>`;
    if (error instanceof TooMuch) return `${muchNote}<pre>${escapeHtml(source)}</pre>`;
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
const muchNote = note('This text is too long to be shown as it was meant; here is its source.');
