/** The query page as HTML: a frame that its modules fill, and examples to begin with. */
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

/** What the modules of the page cannot learn from the metadata. */
export interface QueryModel {
  /** The names that each type of choices has. */
  choices: Record<string, readonly string[]>;
  /** The resources whose entities have a page. */
  generals: readonly string[];
  /** The names of fields that hold rich text. */
  richTexts: readonly string[];
}

/** `base` is the address that clients reach the service at. */
export const queryPage = (model: QueryModel, base: string, site: Site): string =>
  page(
    {
      title: 'Query · Worktrack',
      path: '/query',
      styles: ['fields.css', 'query.css'],
      scripts: ['query.js'],
      isWide: true,
    },
    site,
    html`<header>
<h1>Query</h1>
<p class="lead">Put a request together, run it, and take it with you. <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs it from anywhere.</p>
</header>
<noscript><p class="problem">This page needs JavaScript. Without it, begin at <a href="${site.root}/api/v1/Index/meta?format=json">the list of resources</a>.</p></noscript>
<div id="query" class="query" data-root="${site.root}" data-base="${base}" data-login="${site.viewer.login ?? 'login'}" data-model="${JSON.stringify(model)}">
${builder}
<div class="asked">
${request}
${examples(site)}
${result}
</div>
</div>`,
  );

/** A part of the form that opens; what is chosen in it stands beside its name. */
const part = (id: string, words: string, content: Html, isOpen = false): Html =>
  html`<details class="part"${isOpen ? html` open` : undefined}>
<summary><span class="part-name">${words}</span> <span class="gist" id="${id}-gist"></span></summary>
<div class="problem" id="${id}-problem"></div>
${content}
</details>
`;

const builder = html`<form id="builder" class="builder" aria-label="Request builder" novalidate>
<div class="field">
<label for="collection">Collection</label>
<input id="collection" placeholder="such as UserStories" aria-describedby="collection-note">
<p class="note" id="collection-note"></p>
</div>
${part('include', 'Fields', html`<div id="include"></div>`)}${part('where', 'Conditions', html`<div id="where" hidden></div>`, true)}${part(
  'order',
  'Order',
  html`<div class="pair">
<div class="field"><label for="order-field">By</label><input id="order-field" placeholder="such as CreateDate"></div>
<div class="field"><label for="order-direction">Direction</label><select id="order-direction"><option value="ascending">ascending</option><option value="descending">descending</option></select></div>
</div>
<p class="note" id="order-note"></p>`,
)}${part('append', 'Counts and totals', html`<div id="append"></div>`)}<div class="problem" id="page-problem"></div>
<div class="triple">
<div class="field"><label for="take">Take</label><input id="take" type="number" min="0" max="1000" placeholder="25"></div>
<div class="field"><label for="skip">Skip</label><input id="skip" type="number" min="0" placeholder="0"></div>
<div class="field"><label for="format">Format</label><select id="format"><option value="json">JSON</option><option value="xml">XML</option></select></div>
</div>
</form>
`;

const request = html`<section class="request" aria-label="Request">
<div class="field"><label for="address">Address</label>
<textarea id="address" class="code" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea></div>
<div class="actions">
<button type="button" id="run" class="main" aria-keyshortcuts="Control+Enter">Run</button>
<button type="button" id="copy-address">Copy address</button>
<span id="copied" class="hidden" role="status"></span>
</div>
<details class="part">
<summary><span class="part-name">curl</span></summary>
<div class="actions"><label for="caller">As</label> <select id="caller"><option value="login">login and password</option><option value="token">access token</option></select>
<button type="button" id="copy-curl" class="small">Copy line</button></div>
<pre class="command" tabindex="0" aria-label="curl line"><code id="curl"></code></pre>
</details>
</section>
`;

const samples: readonly [words: string, query: string][] = [
  [
    'Stories under way, latest first',
    "UserStories?where=EntityState.Name eq 'In Progress'&include=[Id,Name,Project[Name],Owner,Effort]&orderByDesc=ModifyDate&format=json&take=25",
  ],
  [
    'Features with their stories',
    'Features?include=[Id,Name,UserStories[Id,Name,EntityState[Name]]]&format=json&take=10',
  ],
  [
    'Bugs of the last 365 days, with counts',
    'Bugs?where=CreateDate gte Today-365&include=[Id,Name,Severity[Name],CreateDate]&append=[Comments-Count,Times-Count]&format=json&take=25',
  ],
  [
    'Who is assigned to what',
    'Assignments?include=[GeneralUser,Role[Name],Assignable[Id,Name,EntityType[Name]]]&format=json&take=25',
  ],
  [
    'Projects with the effort of their stories',
    'Projects?include=[Id,Name]&append=[UserStories-Count,UserStories-Effort-Sum]&format=json&take=25',
  ],
];

const examples = ({ root }: Site): Html =>
  html`<section id="examples" class="examples" aria-labelledby="examples-heading">
<h2 id="examples-heading">Try one of these</h2>
<ul>
${samples.map(([words, query]) => html`<li><a href="${root}/query?q=${encodeURIComponent(query)}">${words}</a></li>\n`)}</ul>
</section>
`;

const views = [
  ['table', 'Table'],
  ['json', 'JSON'],
  ['xml', 'XML'],
] as const;

const result = html`<section id="result" class="result" aria-label="Answer" hidden>
<div class="bar">
<div role="tablist" aria-label="Shown as" class="tabs">${views.map(
  ([id, words]) =>
    html`<button type="button" role="tab" id="tab-${id}" aria-controls="answer" aria-selected="false" tabindex="-1">${words}</button>`,
)}</div>
<p id="status" role="status"></p>
<div class="pager"><button type="button" id="previous" disabled>Previous</button><button type="button" id="next" disabled>Next</button></div>
</div>
<div id="problem" class="problem" role="alert"></div>
<div id="answer" role="tabpanel"></div>
</section>`;
