/**
 * The fleet: a process of its own that attacks in the ways it is told for some seconds, and then reports what it was
 * answered.
 */
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { kinds } from './kinds.mjs';
import { Tally } from './tally.mjs';

// An attacker has a machine of its own; this one takes less of a core than the service, the database and the canary.
const niceness = 10;
setPriority(niceness);
try {
  writeFileSync('/proc/self/autogroup', String(niceness));
} catch {
  // The system does not share its cores among sessions.
}
process.once('disconnect', () => process.exit());

process.once('message', ({ base, names, fixture, seconds }) => {
  const attacks = kinds.filter(({ name }) => names.includes(name)).map((kind) => kind.attack(fixture));
  process.once('message', () => attack(base, attacks, seconds));
  process.send('ready');
});

async function attack(base, attacks, seconds) {
  const tally = new Tally();
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const fleet = {
    base,
    tally,
    signal: over.signal,
    countStatus: (status) => tally.count(status),
    get isOver() {
      return over.signal.aborted;
    },
  };
  setTimeout(() => {
    process.send({ sent: tally.sent, answers: tally.answers });
    over.abort();
  }, seconds * 1000);
  await Promise.all(attacks.map((run) => run(fleet)));
  process.disconnect();
}
