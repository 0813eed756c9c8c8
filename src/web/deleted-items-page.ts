/** The pages of deleted projects and users: both are lists from which something comes back. */
import { administrationPage, listing } from './administration-frame.js';
import { html } from './html.js';
import type { Site } from './page.js';

export const deletedProjectsPage = (site: Site): string =>
  administrationPage(
    {
      title: 'Deleted projects',
      path: '/administration/deleted-projects',
      script: 'deleted-items.js',
      data: { kind: 'projects' },
    },
    site,
    html`<h1>Deleted projects</h1>
<p class="lead">A project comes back with all that was deleted with it.</p>`,
    listing('Name or id'),
  );

export const deletedUsersPage = (site: Site): string =>
  administrationPage(
    {
      title: 'Deleted users',
      path: '/administration/deleted-users',
      script: 'deleted-items.js',
      data: { kind: 'users' },
    },
    site,
    html`<h1>Deleted users</h1>
<p class="lead">A restored user is listed again and, if active, can log in as before.</p>`,
    listing('Name, login, e-mail or id'),
  );
