/** What all pages are framed by, and the page that is shown in place of another one. */
import type { RichEditor } from '../rich-text/render-rich-text.js';
import { type Html, html } from './html.js';

/** What pages need to know of the service: where it is reachable, as a path without a slash at the end. */
export interface Site {
  root: string;
  editor: RichEditor;
}

export const page = (title: string, { root }: Pick<Site, 'root'>, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/assets/page.css">
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;

export const refusalPage = (heading: string, message: string, site: Pick<Site, 'root'>): string =>
  page(heading, site, html`<header><h1>${heading}</h1></header>\n<p>${message}</p>`);
