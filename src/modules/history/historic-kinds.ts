/** The kinds of items whose changes are recorded. */
export interface HistoricKind {
  name: string;
  entityTypeId: number;
  property: string;
}

export const historicKinds: readonly HistoricKind[] = [
  { name: 'UserStory', entityTypeId: 4, property: 'userStory' },
  { name: 'Task', entityTypeId: 5, property: 'task' },
  { name: 'Bug', entityTypeId: 8, property: 'bug' },
  { name: 'Feature', entityTypeId: 9, property: 'feature' },
  { name: 'Impediment', entityTypeId: 16, property: 'impediment' },
  { name: 'Request', entityTypeId: 17, property: 'request' },
  { name: 'Epic', entityTypeId: 27, property: 'epic' },
  { name: 'PortfolioEpic', entityTypeId: 31, property: 'portfolioEpic' },
];

/** `UserStory` in words. */
export const wordsOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
