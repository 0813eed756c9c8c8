/** Stock configuration: the rows whose ids are the same in every installation, and what hangs on them. */

/** Id, name, and whether it is assignable, extendable by custom fields (per process or everywhere), counted in hours only. */
export const entityTypes: [id: number, name: string, assignable: boolean, scope: 'None' | 'Global' | 'Process'][] = [
  [1, 'Project', false, 'Process'],
  [2, 'Release', false, 'Process'],
  [3, 'Iteration', false, 'Process'],
  [4, 'UserStory', true, 'Process'],
  [5, 'Task', true, 'Process'],
  [6, 'User', false, 'Global'],
  [7, 'Time', false, 'Process'],
  [8, 'Bug', true, 'Process'],
  [9, 'Feature', true, 'Process'],
  [10, 'Program', false, 'Global'],
  [11, 'Build', false, 'Process'],
  [12, 'TestCase', false, 'Process'],
  [13, 'TestPlan', true, 'Process'],
  [14, 'TestPlanRun', true, 'Process'],
  [16, 'Impediment', false, 'Process'],
  [17, 'Request', true, 'Process'],
  [18, 'Requester', false, 'Global'],
  [19, 'Comment', false, 'None'],
  [20, 'Attachment', false, 'None'],
  [22, 'Company', false, 'None'],
  [23, 'Team', false, 'Global'],
  [24, 'TeamIteration', false, 'Global'],
  [25, 'TestStep', false, 'None'],
  [26, 'TestStepRun', false, 'None'],
  [27, 'Epic', true, 'Process'],
  [28, 'TestCaseRun', false, 'None'],
  [29, 'UserProjectAllocation', false, 'None'],
  [30, 'TeamProjectAllocation', false, 'None'],
  [31, 'PortfolioEpic', true, 'Process'],
  [32, 'Milestone', false, 'None'],
];

export const roles: [id: number, name: string, hasEffort: boolean][] = [
  [1, 'Developer', true],
  [2, 'Designer', true],
  [3, 'Business Analyst', false],
  [4, 'Scrum Master', false],
  [5, 'Product Owner', false],
  [6, 'Support Person', false],
  [7, 'Project Manager', false],
  [8, 'Top Manager', false],
  [9, 'QA Engineer', true],
];

/** Id, name, importance, kind, whether new items get it. */
export const priorities: [id: number, name: string, importance: number, entityTypeId: number, isDefault: boolean][] = [
  [1, 'Must Have', 1, 4, false],
  [2, 'Great', 2, 4, false],
  [3, 'Good', 3, 4, false],
  [4, 'Average', 4, 4, false],
  [5, 'Nice To Have', 5, 4, false],
  [6, 'Fix ASAP', 1, 8, false],
  [7, 'Fix If Time', 2, 8, false],
  [8, 'Must Have', 1, 9, false],
  [9, 'Average', 3, 9, false],
  [10, 'Nice To Have', 4, 9, false],
  [11, '-', 1, 5, false],
  [12, '-', 1, 14, false],
  [13, 'Must Have', 1, 27, false],
  [14, 'Average', 3, 27, false],
  [15, 'Nice To Have', 4, 27, false],
  [16, '-', 1, 13, false],
  [17, 'Critical', 1, 16, false],
  [18, 'Moderate', 2, 16, false],
  [19, 'Small', 3, 16, false],
  [20, 'Urgent', 1, 17, false],
  [21, 'Normal', 2, 17, false],
  [22, 'High', 2, 12, false],
  [23, 'Highest', 1, 12, false],
  [24, 'Low', 4, 12, false],
  [25, 'Moderate', 3, 12, true],
  [26, 'Must Have', 1, 31, false],
  [27, 'Average', 3, 31, false],
  [28, 'Nice To Have', 4, 31, false],
];

export const severities: [id: number, name: string, importance: number][] = [
  [1, 'Blocking', 1],
  [2, 'Critical', 2],
  [3, 'Normal', 3],
  [4, 'Small', 4],
  [5, 'Enhancement', 5],
];

export const requestTypes: [id: number, name: string][] = [
  [1, 'Issue'],
  [2, 'Idea'],
  [3, 'Question'],
];

export const relationTypes: [id: number, name: string][] = [
  [1, 'Dependency'],
  [2, 'Blocker'],
  [3, 'Relation'],
  [4, 'Link'],
  [5, 'Duplicate'],
];

export const processes: [id: number, name: string, isDefault: boolean][] = [
  [1, 'All Practices', false],
  [2, 'Kanban', false],
  [3, 'Scrum', true],
];

/** Name, what it is, its settings as the Context shows them, and the processes that use it. */
export const practices: [name: string, description: string, settings: Record<string, unknown>, processes: number[]][] =
  [
    ['Planning', 'Effort and velocity', { EffortPoints: 'Point', IsStoryEffortEqualsSumTasksEffort: true }, [1, 2, 3]],
    [
      'Time Tracking',
      'Time spent and remaining',
      {
        IsCloseAssignableIfZeroTimeRemaining: false,
        IsTimeDescriptionFieldVisible: true,
        IsTimeDescriptionRequired: false,
        IsRequiredShowRoleDropDown: false,
      },
      [1, 3],
    ],
    ['Bug Tracking', 'Bugs and their severity', {}, [1, 2, 3]],
    ['Requirements', 'Epics, features and stories', {}, [1, 2, 3]],
    ['Test Cases', 'Test cases, plans and runs', {}, [1, 2, 3]],
    ['Source Control', 'Revisions', {}, [1]],
    ['Help Desk', 'Requests of people outside', {}, [1, 2, 3]],
    ['Iterations', 'Work in iterations', {}, [1, 3]],
  ];

export interface StockState {
  name: string;
  role?: number;
  is?: 'initial' | 'final' | 'planned';
}

const openToDone: StockState[] = [
  { name: 'Open', is: 'initial', role: 1 },
  { name: 'In Progress', role: 1 },
  { name: 'Done', is: 'final' },
];
const newToDone: StockState[] = [
  { name: 'New', is: 'initial', role: 5 },
  { name: 'In Progress', role: 1 },
  { name: 'Done', is: 'final' },
];
const tested: StockState[] = [
  { name: 'Open', is: 'initial', role: 1 },
  { name: 'In Progress', role: 1 },
  { name: 'In Testing', role: 9 },
  { name: 'Done', is: 'final' },
];
const openToClosed: StockState[] = [
  { name: 'Open', is: 'initial', role: 9 },
  { name: 'Done', is: 'final' },
];

/** The states of each kind, in the order of their ids. */
export const workflows: [entityTypeId: number, states: StockState[]][] = [
  [4, tested],
  [5, openToDone],
  [8, tested],
  [9, newToDone],
  [14, openToClosed],
  [
    16,
    [
      { name: 'Open', is: 'initial', role: 7 },
      { name: 'Resolved', is: 'final' },
    ],
  ],
  [
    17,
    [
      { name: 'New', is: 'initial', role: 6 },
      { name: 'Active', role: 6 },
      { name: 'Closed', is: 'final' },
    ],
  ],
  [27, newToDone],
  [31, newToDone],
  [13, openToClosed],
  [
    1,
    [
      { name: 'Planned', is: 'initial', role: 7 },
      { name: 'In Progress', role: 7 },
      { name: 'Done', is: 'final' },
    ],
  ],
];

/** Scrum's states have well-known ids from 46 on; those of the other processes lie around them. */
export const firstStateId: Record<number, number> = { 1: 101, 2: 201, 3: 46 };

/** What each process calls its kinds. */
export const terms: [wordKey: string, entityTypeId: number, value: Record<number, string>][] = [
  ['UserStory', 4, { 1: 'User Story', 2: 'Card', 3: 'User Story' }],
  ['Task', 5, { 1: 'Task', 2: 'Task', 3: 'Task' }],
  ['Bug', 8, { 1: 'Bug', 2: 'Bug', 3: 'Bug' }],
  ['Feature', 9, { 1: 'Feature', 2: 'Feature', 3: 'Feature' }],
  ['Epic', 27, { 1: 'Epic', 2: 'Initiative', 3: 'Epic' }],
  ['Iteration', 3, { 1: 'Iteration', 2: 'Iteration', 3: 'Sprint' }],
  ['Release', 2, { 1: 'Release', 2: 'Release', 3: 'Release' }],
  ['Request', 17, { 1: 'Request', 2: 'Request', 3: 'Request' }],
];
