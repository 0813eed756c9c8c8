/**
 * Turns one of our Markdown texts into a part of a page: headings that can be linked to, links that lead on, tables
 * that scroll.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '../rich-text/escape-html.js';
import { Html } from './html.js';

export interface Section {
  id: string;
  words: string;
}

export interface RenderedDocument {
  content: Html;
  /** Its headings of the second level. */
  sections: readonly Section[];
}

/** The address that a link or a picture gets; without one its words stand alone. */
type AddressOf = (href: string) => string | undefined;

interface Addresses {
  ofLink: AddressOf;
  ofPicture: AddressOf;
}

const markdown = new MarkdownIt({ html: false });

export function renderDocument(text: string, { ofLink, ofPicture }: Addresses): RenderedDocument {
  const tokens = markdown.parse(text, {});
  const sections = nameHeadings(tokens);
  for (const token of tokens) {
    if (!token.children) continue;
    token.children = withLinks(token.children, ofLink);
    for (const child of token.children) if (child.type === 'image') place(child, ofPicture);
  }
  dressTables(tokens);
  return { sections, content: new Html(markdown.renderer.render(tokens, markdown.options, {})) };
}

// --- headings --------------------------------------------------------------------------------------------------------

function nameHeadings(tokens: readonly Token[]): Section[] {
  // The frame of the page has one name already.
  const taken = new Set(['content']);
  const sections: Section[] = [];
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const words = wordsOf(tokens[at + 1]!);
    const id = freeName(slugOf(words), taken);
    token.attrSet('id', id);
    if (token.tag === 'h2') sections.push({ id, words });
  });
  return sections;
}

const wordsOf = ({ children }: Token): string => (children ?? []).map(({ content }) => content).join('');

/** As the sites do that show repositories, so that one link works there and here. */
const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let at = 1; taken.has(name); at += 1) name = `${wanted}-${at}`;
  taken.add(name);
  return name;
}

// --- pictures --------------------------------------------------------------------------------------------------------

function place(picture: Token, addressOf: AddressOf): void {
  const address = addressOf(String(picture.attrGet('src')));
  if (address === undefined) picture.type = 'text';
  else
    picture.attrs = [
      ['src', address],
      ['alt', ''],
      ['loading', 'lazy'],
    ];
}

// --- links -----------------------------------------------------------------------------------------------------------

function withLinks(tokens: readonly Token[], addressOf: AddressOf): Token[] {
  let isDropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const address = addressOf(String(token.attrGet('href')));
      isDropped = address === undefined;
      if (address !== undefined) token.attrSet('href', address);
    }
    return !(isDropped && /^link_(open|close)$/.test(token.type));
  });
}

// --- tables and examples: what is too wide scrolls by itself, by the keyboard too ------------------------------------

function dressTables(tokens: readonly Token[]): void {
  let section = '';
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') section = wordsOf(tokens[at + 1]!);
    if (token.type === 'table_open') token.meta = { section };
    if (/^t[hd]_open$/.test(token.type)) dressCell(token, tokens[at + 1]!, tokens[at + 2]!);
  });
}

function dressCell(open: Token, { content }: Token, close: Token): void {
  // The policy of our pages allows no style in place.
  open.attrs = open.attrGet('style') === 'text-align:right' ? [['class', 'end']] : null;
  // A heading of nothing is no heading.
  if (open.type === 'th_open' && content === '') open.tag = close.tag = 'td';
}

const scrolled = (name: string): string => `role="group" tabindex="0" aria-label="${escapeHtml(name)}"`;

markdown.renderer.rules.table_open = (tokens, at) =>
  `<div class="scrolled" ${scrolled(`Table: ${tokens[at]!.meta?.section}`)}>\n<table>\n`;
markdown.renderer.rules.table_close = () => '</table>\n</div>\n';

/** Lines longer than a desk shows are broken; shorter ones may be a drawing, which has to stay as it is. */
const longestKept = 110;

markdown.renderer.rules.fence = (tokens, at) => {
  const { content } = tokens[at]!;
  const isBroken = content.split('\n').some((line) => line.length > longestKept);
  return `<pre ${isBroken ? 'class="broken"' : scrolled('Example')}><code>${escapeHtml(content)}</code></pre>\n`;
};
markdown.renderer.rules.code_block = markdown.renderer.rules.fence;
