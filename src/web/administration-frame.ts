/** What the pages of administration have in common: where they lead, and what their modules start from. */
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

export interface AdministrationFrame {
  title: string;
  /** The address of the part that the page belongs to. */
  path: string;
  script: string;
  /** What the module of the page cannot learn by asking. */
  data?: Record<string, string>;
}

const parts = [
  ['/administration/users', 'Users'],
  ['/administration/deleted-users', 'Deleted users'],
  ['/administration/deleted-projects', 'Deleted projects'],
  ['/administration/settings', 'Settings'],
] as const;

export const administrationPage = (
  { title, path, script, data = {} }: AdministrationFrame,
  site: Site,
  heading: Html,
  content: Html,
): string =>
  page(
    {
      title: `${title} · Worktrack`,
      path: '/administration',
      styles: ['fields.css', 'forms.css'],
      scripts: [script],
      isWide: true,
    },
    site,
    html`<div id="page" class="administration" data-root="${site.root}"${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
<nav class="parts" aria-label="Administration"><ul>
${parts.map(([to, words]) => html`<li><a href="${site.root}${to}"${to === path ? html` aria-current="true"` : undefined}>${words}</a></li>\n`)}</ul></nav>
<div class="part-content">
${heading}
<noscript><p class="problem">This page needs JavaScript. Everything it does can be done with the API, too.</p></noscript>
<p id="status" class="done message" role="status"></p>
${content}
</div>
</div>`,
  );

/** A list that is searched and paged. `filters` stand beside the search. */
export const listing = (searchLabel: string, filters: Html = html``): Html =>
  html`<form id="search" class="search" role="search" novalidate>
<div class="field grow"><label for="search-text">${searchLabel}</label>
<input id="search-text" name="search" type="search" maxlength="200" autocomplete="off" spellcheck="false"></div>
${filters}<button>Search</button>
</form>
<div class="problem" role="alert" id="list-problem"></div>
<div class="bar"><p id="list-status" role="status"></p>
<div class="pager"><button type="button" id="previous" disabled>Previous</button><button type="button" id="next" disabled>Next</button></div></div>
<div id="list"></div>`;
