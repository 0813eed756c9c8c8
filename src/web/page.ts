/** What all pages are framed by, and the page that is shown in place of another one. */
import { version } from '../runtime/version.js';
import { type Html, html } from './html.js';
import { navigation } from './navigation.js';
import type { Viewer } from './viewer.js';

/** What pages need to know of the service and of who looks. */
export interface Site {
  /** Where the service is reachable, as a path without a slash at the end. */
  root: string;
  /** Where style and scripts are, likewise. */
  assets: string;
  /** The modules that one needs besides itself. */
  importsOf(script: string): string[];
  viewer: Viewer;
}

/** What differs between frames. */
export interface Frame {
  title: string;
  /** The path of the page, as the navigation has it. */
  path?: string;
  /** Style sheets besides the one of all pages. */
  styles?: readonly string[];
  /** Modules that the page starts. One that has any is sent with the headers of `scriptedPageHeaders`. */
  scripts?: readonly string[];
  /** Uses the whole width of the window. */
  isWide?: boolean;
}

export const page = (frame: Frame, { root, assets, importsOf, viewer }: Site, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${frame.title}</title>
<link rel="icon" href="data:,">
${linksOf(frame, assets, importsOf)}</head>
<body${frame.isWide ? html` class="wide-page"` : undefined}${viewer.id === undefined ? undefined : html` data-viewer="${viewer.id}"`}>
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<a class="home" href="${root}/">Worktrack</a>
${navigation(root, viewer, frame.path)}</header>
<main id="content" tabindex="-1">
${content}
</main>
<footer class="site"><p>Worktrack ${version}</p></footer>
</body>
</html>
`.text;

const linksOf = ({ styles = [], scripts = [] }: Frame, assets: string, importsOf: Site['importsOf']): Html[] => [
  ...['page.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assets}/${name}">\n`),
  ...scripts.flatMap(importsOf).map((name) => html`<link rel="modulepreload" href="${assets}/${name}">\n`),
  ...scripts.map((name) => html`<script type="module" src="${assets}/${name}"></script>\n`),
];

export const refusalPage = (heading: string, message: string, site: Site): string =>
  page({ title: heading }, site, html`<header><h1>${heading}</h1></header>\n<p>${message}</p>`);
