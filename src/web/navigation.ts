/** Where the frame of the pages leads to, and whom. A new page gets its entry here. */
import { type Html, html } from './html.js';
import type { Viewer } from './viewer.js';

interface Entry {
  path: string;
  words: string;
  isFor(viewer: Viewer): boolean;
}

const entries: readonly Entry[] = [
  { path: '/query', words: 'Query', isFor: () => true },
  { path: '/api/docs', words: 'API', isFor: ({ isSignedIn }) => isSignedIn },
  { path: '/documentation', words: 'Documentation', isFor: () => true },
  { path: '/profile', words: 'Profile', isFor: ({ isSignedIn }) => isSignedIn },
  { path: '/administration', words: 'Administration', isFor: ({ isAdministrator }) => isAdministrator },
  { path: '/login', words: 'Log in', isFor: ({ isSignedIn }) => !isSignedIn },
];

/** `current` is the path of the page that the navigation stands on. */
export const navigation = (root: string, viewer: Viewer, current: string | undefined): Html =>
  html`<nav aria-label="Pages"><ul>
${entries.filter(({ isFor }) => isFor(viewer)).map((entry) => itemOf(root, entry, entry.path === current))}</ul></nav>
${viewer.isSignedIn ? callerOf(root, viewer) : undefined}`;

const itemOf = (root: string, { path, words }: Entry, isCurrent: boolean): Html =>
  html`<li><a href="${root}${path}"${isCurrent ? html` aria-current="page"` : undefined}>${words}</a></li>\n`;

/**
 * Leaving changes something, so it is no link: nothing that merely looks at addresses may log anybody out. It says who
 * leaves, since somebody else may have logged in after the page was shown. */
const callerOf = (root: string, { id, name }: Viewer): Html =>
  html`<div class="caller">${name === undefined ? undefined : html`<bdi class="name">${name}</bdi>`}
<form method="post" action="${root}/logout?user=${id}"><button type="submit">Log out</button></form></div>
`;
