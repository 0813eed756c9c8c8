/** What links to the pages beside one ask for. */

interface Asked {
  readonly take: number;
  readonly skip: number;
}

const asked = ({ take, skip }: Asked): string => `take=${take}&skip=${skip}`;

export const pageBehind = ({ take, skip }: Asked): string => asked({ take, skip: skip + take });

/** It does not overlap: in front of a page that starts within the first one there are fewer items. */
export const pageBefore = ({ take, skip }: Asked): string =>
  asked({ take: Math.min(take, skip), skip: Math.max(0, skip - take) });
