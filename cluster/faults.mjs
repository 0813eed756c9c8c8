/** What happens to the cluster, one after another. Each gives back what ends it, where it does not end by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { ports, servicePorts } from './nodes.mjs';
import { until } from './processes.mjs';

const newLeader = (cluster, old, seconds = 60) =>
  until(
    'another node leads',
    async () => {
      const leader = await cluster.leader();
      return leader && leader !== old ? leader : undefined;
    },
    seconds,
  );

async function switchOver({ cluster }) {
  const old = await cluster.leader();
  const [candidate] = await cluster.replicas();
  const body = JSON.stringify({ leader: old.name, candidate: candidate.name });
  const ask = () =>
    fetch(`http://${old.address}:${ports.rest}/switchover`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  // Only the synchronous one may take over.
  await until('the switch-over is taken', async () => (await ask()).ok, 60);
  await newLeader(cluster, old);
}

async function onReplica({ cluster }, act) {
  const [replica] = await cluster.replicas();
  return act(replica);
}

export const faults = [
  { name: 'nothing', act: () => pause(8000) },
  { name: 'switch-over', leads: true, isShort: true, act: (all) => switchOver(all) },
  {
    name: 'leader crashes',
    leads: true,
    isShort: true,
    async act({ cluster }) {
      const old = await cluster.leader();
      await old.kill();
      await newLeader(cluster, old);
      await pause(3000);
      old.start();
    },
  },
  {
    name: 'service crashes',
    isShort: true,
    async act({ services }) {
      await services.kill(1);
      await pause(3000);
      await services.startOne(1);
    },
  },
  {
    name: 'replica paused',
    act: (all) =>
      onReplica(all, async (replica) => {
        await replica.rows('select pg_wal_replay_pause()');
        await pause(8000);
        await replica.rows('select pg_wal_replay_resume()');
      }),
  },
  {
    name: 'replica late (2 s)',
    act: (all) =>
      onReplica(all, async (replica) => {
        await replica.rows("alter system set recovery_min_apply_delay = '2s'").catch(() => undefined);
        await replica.rows('select pg_reload_conf()');
        await pause(8000);
        await replica.rows('alter system reset recovery_min_apply_delay').catch(() => undefined);
        await replica.rows('select pg_reload_conf()');
      }),
  },
  {
    name: 'replica gone',
    act: (all) =>
      onReplica(all, async (replica) => {
        await replica.kill();
        await pause(5000);
        replica.start();
      }),
  },
  {
    name: 'leader cut off',
    leads: true,
    async act({ cluster }) {
      const old = await cluster.leader();
      await old.cut();
      await newLeader(cluster, old, 90);
      await pause(5000);
      await old.mend();
    },
  },
  {
    name: 'full disk',
    leads: true,
    async act({ cluster }) {
      const old = await cluster.leader();
      await old.fillDisk();
      // It goes on as long as there are old segments of the log to write to; then another one may take over, or it
      // waits for room.
      const useUp = () =>
        old
          .rows("select pg_logical_emit_message(false, '', repeat('x', 100000)), pg_switch_wal()")
          .catch(() => undefined);
      for (let times = 0; times < 40; times += 1) await Promise.all([useUp(), pause(500)]);
      await old.emptyDisk();
    },
  },
  {
    name: 'rolling upgrade',
    async act({ services }) {
      for (const at of servicePorts.keys()) await services.replace(at);
    },
  },
];
