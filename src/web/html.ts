/** The html`` tag: text and values travel together, and every value is escaped unless it is Html already. */
import { escapeHtml } from '../rich-text/escape-html.js';

export class Html {
  /** Made by the tag; by hand only from what a sanitiser let through. */
  constructor(readonly text: string) {}
}

type Value = Html | readonly Html[] | string | number | undefined;

export const html = (texts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(glued(texts.map((text, index) => text + spelled(values[index]))));

/** Joined, a long text would be copied anew by each template that it stands in. */
const glued = (texts: readonly string[]): string => texts.reduce((whole, text) => whole + text, '');

function spelled(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return glued(value.map(({ text }) => text));
  return escapeHtml(String(value));
}
