/** The landing page as HTML: what the service is, whether it is well, and how to call it. */
import { version } from '../runtime/version.js';
import { documentCards } from './documentation-page.js';
import { documents } from './documents.js';
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

/** `base` is the address that clients reach the service at. */
export const landingPage = (base: string, site: Site): string =>
  page(
    { title: 'Worktrack', scripts: ['landing.js'] },
    site,
    html`<header>
<h1>Worktrack</h1>
<p class="lead">A REST service for work-tracking data: stories, bugs, tasks, projects, releases, teams, time and more.
Ask for exactly the fields, conditions and counts you need, in JSON or XML.</p>
</header>
<dl class="facts">
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Health</dt><dd><span id="health" role="status" data-address="${site.root}/health/ready"><a href="${site.root}/health/ready">ask</a></span></dd></div>
<div><dt>Logged in</dt><dd>${callerOf(site)}</dd></div>
</dl>
<section aria-labelledby="start">
<h2 id="start">Start here</h2>
<ul class="cards">
<li><a href="${site.root}/query">Query page</a><p>Put a request together by picking fields and conditions, run it, and copy it for your own program.</p></li>
<li><a href="${site.root}/api/docs">API</a><p>Every operation with its parameters, bodies and answers; each GET can be tried.</p></li>
<li><a href="${site.root}/api/v1/Index/meta?format=json">All resources</a><p>What the service knows, described by the service itself: resources, their fields and collections.</p></li>
</ul>
</section>
<section aria-labelledby="call">
<h2 id="call">Call it</h2>
<p>Every request is made by somebody: give a login, and curl asks for the password.</p>
${exampleOf(base, site)}
<p>Programs send an access token instead: <code>--header 'Authorization: Bearer &lt;token&gt;'</code>.</p>
</section>
<section aria-labelledby="read">
<h2 id="read">Read about it</h2>
${documentCards(site, documents)}
</section>`,
  );

const callerOf = ({ viewer, root }: Site): Html =>
  viewer.isSignedIn ? html`<bdi>${viewer.name ?? 'yes'}</bdi>` : html`no, <a href="${root}/login">log in</a>`;

const exampleOf = (base: string, { viewer }: Site): Html =>
  html`<pre class="command" tabindex="0" aria-label="Example"><code>curl -g -u ${plainLogin(viewer) ?? 'login'} '${base}/api/v1/UserStories?include=[Id,Name,EntityState[Name]]&amp;take=5&amp;format=json'</code></pre>`;

/** One that a shell takes as it stands. */
const plainLogin = ({ login }: Site['viewer']): string | undefined =>
  login !== undefined && /^[\w.@-]+$/.test(login) ? login : undefined;
