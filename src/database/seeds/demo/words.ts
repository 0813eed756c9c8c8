/** The words that demonstration data is made of: a shop on the web, its warehouse and its customers. */
export const people: [first: string, last: string, role: number][] = [
  ['Alice', 'Brown', 1],
  ['Bruno', 'Costa', 1],
  ['Chloé', 'Dubois', 2],
  ['Dmitri', 'Orlov', 1],
  ['Elena', 'García', 9],
  ['Farid', 'Haddad', 1],
  ['Grace', 'Kim', 7],
  ['Hiro', 'Tanaka', 1],
  ['Ines', 'Lopes', 9],
  ['Jakub', 'Novák', 1],
  ['Katya', 'Morozova', 5],
  ['Liam', "O'Neill", 1],
  ['Mei', 'Chen', 2],
  ['Nadia', 'Rossi', 9],
  ['Omar', 'Said', 1],
  ['Petra', 'Schmidt', 4],
  ['Quentin', 'Moreau', 1],
  ['Rosa', 'Jiménez', 3],
  ['Sven', 'Lindqvist', 1],
  ['Tara', 'Singh', 5],
  ['Uma', 'Patel', 8],
  ['Viktor', 'Horvat', 6],
  ['Wanda', 'Kowalska', 1],
  ['Xavier', 'Blanc', 1],
  ['Yuki', 'Sato', 9],
];

export const requesters: [first: string, last: string, company: number][] = [
  ['Maria', 'Silva', 1],
  ['John', 'Carter', 1],
  ['李', '伟', 2],
  ['Olga', 'Petrova', 2],
  ['Ben', 'Adams', 3],
  ['Zoë', 'Vos', 3],
];

export const companies = ['Harbour Books', 'Nordlicht Möbel', 'Quick & Fresh'];

export const teams = ['Alpha', 'Beacon', 'Compass', 'Delta', 'Lighthouse'];

export interface ProjectWords {
  name: string;
  process: number;
  program: number;
  color: string;
  /** Epics with the things their features are about. */
  epics: [name: string, things: string[]][];
}

export const projects: ProjectWords[] = [
  {
    name: 'Web Shop',
    process: 3,
    program: 0,
    color: '#3d7dca',
    epics: [
      ['Find what you want', ['search results', 'categories', 'product pictures']],
      ['Buy in one minute', ['the basket', 'payment by card', 'delivery addresses']],
      ['Come back gladly', ['wish lists', 'order history', 'reviews']],
    ],
  },
  {
    name: 'Mobile App',
    process: 3,
    program: 0,
    color: '#7a4fb5',
    epics: [
      ['The shop in the pocket', ['offline pages', 'push messages', 'scanned barcodes']],
      ['Sign in without typing', ['passkeys', 'device trust', 'guest orders']],
    ],
  },
  {
    name: 'Warehouse',
    process: 2,
    program: 1,
    color: '#c98a2b',
    epics: [
      ['Pick faster', ['pick lists', 'shelf maps', 'hand scanners']],
      ['Never run out', ['stock levels', 'reorder points', 'supplier calendars']],
    ],
  },
  {
    name: 'Delivery Tracking',
    process: 2,
    program: 1,
    color: '#2f9e77',
    epics: [
      ['Know where it is', ['parcel positions', 'arrival times', 'driver notes']],
      ['Change your mind', ['redirected parcels', 'returns', 'refunds']],
    ],
  },
  {
    name: 'Customer Care',
    process: 1,
    program: 0,
    color: '#b8445b',
    epics: [
      ['Answer at once', ['chat threads', 'saved replies', 'call notes']],
      ['Learn from complaints', ['complaint reports', 'satisfaction scores']],
    ],
  },
  {
    name: 'Data Platform',
    process: 1,
    program: 1,
    color: '#55606e',
    epics: [
      ['One set of numbers', ['daily sales', 'currency rates', 'audit trails']],
      ['Dashboards people read', ['charts', 'shared links']],
    ],
  },
];

export const storyPatterns = [
  'Show {x} on small screens',
  'Filter {x} by date',
  'Export {x} as CSV',
  'Keep {x} between visits',
  'Tell the customer when {x} change',
  'Load {x} in under a second',
  'Let colleagues comment on {x}',
  'Explain an error with {x}',
];

export const taskPatterns = [
  'Agree on the layout',
  'Write the endpoint',
  'Add the database index',
  'Cover with tests',
  'Update the help page',
  'Review accessibility',
];

export const bugPatterns = [
  'Wrong sum shown with {x}',
  '{x} vanish after signing in again',
  'Page stays white when {x} are missing',
  'Umlauts broken in {x}',
  '{x}: button "Save" does nothing',
  'Time zone off by one hour in {x}',
];

export const requestPatterns = [
  'Please add {x} to the monthly letter',
  'Why can I not see {x}?',
  'Idea: combine {x} with invoices',
  'Slow page with {x}',
];

export const tags = [
  'plugin',
  'Major',
  'two words',
  'urgent',
  'mobile',
  'accessibility',
  'performance',
  'security',
  'customer wish',
  'legal',
  'refactoring',
  'Hotfix 4',
  'design',
  'api',
  'reporting',
  'quick win',
  'research',
  'onboarding',
  'i18n',
  'abc',
  'blocked by supplier',
  'Black Friday',
  'tech debt',
  'localisation',
  'needs design',
  'needs decision',
  'R&D',
  'customer: Nordlicht',
  'résumé',
  '要確認',
];

export const impediments = [
  'The card provider has not sent the test account',
  'Staging is down every Monday morning',
  'No one may sign the contract with the carrier',
];

export const testCases: [name: string, steps: [action: string, result: string][]][] = [
  [
    '{x} on a slow connection',
    [
      ['Throttle the network to 3G and open the page', 'The first part shows within three seconds'],
      ['Scroll to the end', 'The rest follows without a jump'],
      ['Leave and come back', 'Nothing is loaded twice'],
    ],
  ],
  [
    '{x} for a guest',
    [
      ['Open the page without signing in', 'Public parts are shown'],
      ['Try to change something', 'Sign-in is asked for, the entry is kept'],
      ['Sign in', 'The change is saved'],
    ],
  ],
  [
    '{x} with more than a thousand entries',
    [
      ['Load the large sample', 'Paging appears'],
      ['Go to the last page', 'It holds the remainder only'],
      ['Sort by "Date"', 'The newest comes first & the page is the first again'],
    ],
  ],
  [
    '{x} by keyboard and screen reader',
    [
      ['Walk through with Tab', 'The focus is always visible'],
      ['Let the page be read', 'Every picture has a description'],
      ['Press Escape in the dialogue', 'It closes, the focus returns'],
    ],
  ],
];

export const comments = [
  'Looks good to me.',
  '<p>I can reproduce this on the staging system.</p>',
  'Could we split this in two?',
  'Done in the refactoring branch.',
  '<div>Customer confirmed &amp; happy.</div>',
  'Needs a decision by Friday.',
  '<!--markdown-->**Careful:** changes the API.',
  'Thanks!',
];
