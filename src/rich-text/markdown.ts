/** Turns Markdown (CommonMark with tables and strikethrough) into HTML, which is by no means safe yet. */
import MarkdownIt from 'markdown-it';

// The work grows with the text times the nesting; nobody nests lists and quotes deeper.
const markdown = new MarkdownIt({ html: true, maxNesting: 20 });

export const markdownToHtml = (text: string): string => markdown.render(text);
