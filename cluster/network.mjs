/**
 * A network of its own: a bridge on this machine, and a namespace for each node, which can be cut off. Nothing leaves
 * the machine.
 */
import { run, runBeside } from './processes.mjs';

// Several runs do not meet.
const subnet = `10.231.${1 + (process.pid % 250)}`;
export const network = `${subnet}.0/24`;
export const hostAddress = `${subnet}.1`;

export function canMakeNetworks() {
  const name = `wt${process.pid}`;
  try {
    run('ip', 'netns', 'add', name);
    run('ip', 'netns', 'del', name);
    return true;
  } catch {
    return false;
  }
}

export class Network {
  constructor() {
    this.tag = `wt${process.pid % 10_000}`;
    this.bridge = `${this.tag}b`;
    this.members = [];
    run('ip', 'link', 'add', this.bridge, 'type', 'bridge');
    run('ip', 'address', 'add', `${hostAddress}/24`, 'dev', this.bridge);
    run('ip', 'link', 'set', this.bridge, 'up');
  }

  /** Gives the address of a new namespace and how to run a program in it. */
  join(number) {
    const [space, outside, inside] = [`${this.tag}n${number}`, `${this.tag}v${number}`, `${this.tag}e${number}`];
    const address = `${subnet}.${10 + number}`;
    run('ip', 'netns', 'add', space);
    this.members.push(space);
    run('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space);
    run('ip', 'link', 'set', outside, 'master', this.bridge, 'up');
    const within = (...args) => run('ip', 'netns', 'exec', space, 'ip', ...args);
    within('address', 'add', `${address}/24`, 'dev', inside);
    within('link', 'set', inside, 'up');
    within('link', 'set', 'lo', 'up');
    return {
      address,
      prefix: ['ip', 'netns', 'exec', space],
      cut: () => runBeside('ip', 'link', 'set', outside, 'down'),
      mend: () => runBeside('ip', 'link', 'set', outside, 'up'),
    };
  }

  end() {
    for (const space of this.members) run('ip', 'netns', 'del', space);
    run('ip', 'link', 'del', this.bridge);
  }
}
