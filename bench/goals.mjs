/** The goals that cases state, in words, each with whether it was reached. */
import { median } from './load.mjs';

/**
 * `turns` are those of each server; `rowOf(case, clients)` finds what else the run has measured. A goal that cannot be
 * judged is neither reached nor missed.
 */
const goals = {
  rate: {
    isReached: (least, { turns }) => medianOf(turns.service, 'rate') >= least,
    words: (least) => `≥ ${least}/s`,
  },
  rateWhere: {
    isReached: ({ rate, bare }, { turns }) =>
      medianOf(turns.bare, 'rate') >= bare ? medianOf(turns.service, 'rate') >= rate : undefined,
    words: ({ rate, bare }) => `≥ ${rate}/s where bare reaches ${bare}`,
  },
  ratio: shareOf('limit', 'ratio'),
  bare: shareOf('bare', 'of bare'),
  same: shareOf('same', 'of same'),
  p50: timesThatOfLimit('p50'),
  within: {
    isReached: (most, { turns }) => medianOf(turns.service, 'p50') <= most,
    words: (most) => `p50 ≤ ${most} ms`,
  },
  p99: timesThatOfLimit('p99'),
  spread: {
    isReached: (most, { turns }) => medianOf(turns.service, 'p99') <= most * medianOf(turns.service, 'p50'),
    words: (most) => `p99 ≤ ${most} × p50`,
  },
  stall: {
    isReached: (most, { turns }) => medianOf(turns.service, 'computedMs') <= most,
    words: (most) => `computed ≤ ${most} ms`,
  },
  beside: {
    isReached: ({ least, most = Number.POSITIVE_INFINITY, ...other }, result) => {
      const times = timesRow(other, result);
      return times === undefined ? undefined : times >= least && times <= most;
    },
    words: ({ least, most, ...other }, result) =>
      `${timesRow(other, result)?.toFixed(2) ?? '–'} × ${other.case ?? result.case} with ${other.clients} (${least}${most ? ` to ${most}` : ' or more'})`,
  },
};

function shareOf(server, what) {
  return {
    isReached: (least, { turns }) => ratioTo(server, turns) >= least,
    words: (least) => `${what} ≥ ${least.toFixed(2)}`,
  };
}

function timesThatOfLimit(key) {
  return {
    isReached: (most, { turns }) => medianOf(turns.service, key) <= most * medianOf(turns.limit, key),
    words: (most) => `${key} ≤ ${most} ×`,
  };
}

/** How many times the service's rate of another row. */
function timesRow({ case: name, clients }, { case: own, turns, rowOf }) {
  const other = rowOf(name ?? own, clients);
  return other && ratioOf(turns.service, other.turns.service);
}

export function spellGoals(goal, result) {
  const words = Object.entries(goal ?? {}).map(([name, value]) => {
    const isReached = goals[name].isReached(value, result);
    const end = isReached === undefined ? 'not judged' : isReached ? 'met' : 'missed';
    return `${goals[name].words(value, result)}: ${end}`;
  });
  return words.join(', ') || '–';
}

export const ratioTo = (server, turns) => ratioOf(turns.service, turns[server]);

/** Of each round its own, since a noisy neighbour stays longer than a turn. */
export function ratioOf(ones, others) {
  if (!ones || !others) return undefined;
  return median(ones.map(({ rate }, at) => rate / others[at].rate));
}

export const medianOf = (turns, key) => (turns ? median(turns.map((turn) => turn[key])) : Number.NaN);
