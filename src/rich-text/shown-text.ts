/** How much of a rich text is shown, and what that costs. */

export type RichEditor = 'Html' | 'Markdown';

const mark = '<!--markdown-->';

/** The most that is rendered of one text: more than anybody reads, and little enough to be quick whatever it holds. */
export const shownCharacters: Readonly<Record<RichEditor, number>> = { Html: 200_000, Markdown: 100_000 };

/** The most that is rendered of Markdown. The work of some texts grows with the square of their length. */
export const renderedCharacters = 10_000;

/** A text with more characters than these looks like its beginning. */
export const readCharacters = mark.length + Math.max(...Object.values(shownCharacters)) + 1;

/** `beginning`: at least so much of the text that a mark is whole. In characters of HTML. */
export function renderingCost(beginning: string, length: number, defaultEditor: RichEditor): number {
  const { content, editor } = understood(beginning, defaultEditor);
  const shown = Math.min(length - (beginning.length - content.length), shownCharacters[editor]);
  // Markdown takes longer to render, except where it is shown as it was written.
  return editor === 'Markdown' ? Math.max(shown, 5 * Math.min(shown, renderedCharacters)) : shown;
}

/** Text that begins with the mark is Markdown whatever the setting says. */
export function understood(text: string, defaultEditor: RichEditor): { content: string; editor: RichEditor } {
  if (!text.startsWith(mark)) return { content: text, editor: defaultEditor };
  return { content: text.slice(mark.length), editor: 'Markdown' };
}
