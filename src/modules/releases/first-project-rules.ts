/** A release is shared by the project that it lies in as long as it lies there. */
import { type Change, type LinkRules, referenced, type Work } from '../../command/change.js';
import { badMember } from '../../errors.js';

interface Cut {
  readonly path: string;
  readonly release: unknown;
  readonly project: unknown;
}

const why = 'a release lies in this project; write its Project to move it.';

export async function refuseCutsOfOwn(cuts: readonly Cut[], { rows }: Work): Promise<void> {
  const releases = await rows<{ id: number; project: number }>(
    'select id, project_id as project from general where id = any($1::bigint[])',
    [cuts.map(({ release }) => release)],
  );
  const own = cuts.find(({ release, project }) =>
    releases.some((one) => one.id === release && one.project === project),
  );
  if (own) throw badMember(`${own.path}Project`, why);
}

/** A link that becomes another one is cut as well. */
export async function refuseOtherLinks(changes: readonly Change[], work: Work): Promise<void> {
  const others = changes.filter(
    (change) =>
      !change.isNew && [referenced(change, 'release'), referenced(change, 'project')].some((id) => id !== undefined),
  );
  await refuseCutsOfOwn(
    others.map(({ command, before }) => ({
      path: command.path,
      release: before!.release_id,
      project: before!.project_id,
    })),
    work,
  );
}

export const releaseLinks: Pick<LinkRules, 'cut'> = {
  cut: async (table, links, work) => {
    if (table !== 'release_project') return;
    await refuseCutsOfOwn(
      links.map(({ ids }) => ({ path: '', release: ids.release_id, project: ids.project_id })),
      work,
    );
  },
};
