/** The html`` tag: text and values travel together, and every value is escaped unless it is Html already. */
import { escapeHtml } from '../rich-text/escape-html.js';

export class Html {
  /** Made by the tag; by hand only from what a sanitiser let through. */
  constructor(readonly text: string) {}
}

type Value = Html | readonly Html[] | string | number | undefined;

export const html = (texts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(texts.map((text, index) => text + spelled(values[index])).join(''));

function spelled(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
