/** Turns Markdown (CommonMark with tables and strikethrough) into HTML, which is by no means safe yet. */
import MarkdownIt from 'markdown-it';
import { renderedCharacters } from './shown-text.js';
import { TooMuch } from './too-much.js';

/** Blocks, as they begin and end. A few letters may make many: each line of a table has all of its columns. */
const mostBlocks = 2500;

// The work grows with the text times the nesting; nobody nests lists and quotes deeper.
const markdown = new MarkdownIt({ html: true, maxNesting: 20 });

markdown.block.State = class extends markdown.block.State {
  override push(...block: Parameters<InstanceType<typeof MarkdownIt.prototype.block.State>['push']>) {
    if (this.tokens.length >= mostBlocks) throw new TooMuch();
    return super.push(...block);
  }
};

export function markdownToHtml(text: string): string {
  if (text.length > renderedCharacters) throw new TooMuch();
  return markdown.render(text);
}
