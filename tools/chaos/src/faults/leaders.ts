// A cluster loses its leader, and gets the member back some seconds later.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';
import type { Member } from '../clusters/patroni/member.js';
import type { PatroniCluster } from '../clusters/patroni/cluster.js';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

/** Work that begins with the fault and is over when the cluster is whole again. */
export interface Aftermath {
  readonly whole: Promise<void>;
}

/** A cluster with a leader: the leader of the stream of events in NATS, or the one of Postgres. */
interface Led<Leader> {
  readonly leader: () => Promise<Leader | undefined>;
  readonly isWhole: () => Promise<boolean>;
}

/** Brings the member back. Nothing if it comes back by itself. */
type Undo = (() => Promise<void>) | void;

/** The ways in which Postgres loses its leader, by the target of the fault. */
export const patroniLosses: Readonly<
  Record<string, (leader: Member, cluster: PatroniCluster) => Promise<Undo>>
> = {
  // The leader and its Patroni are killed.
  machine: async ({ kill, start }) => {
    await kill();
    return start;
  },
  // The Postgres of the leader is killed.
  server: async ({ crash }) => crash(),
  // The machine of the leader hangs, and is reset, as its watchdog does.
  hang: async ({ freeze, kill, start }) => {
    freeze();
    return () => kill().then(start);
  },
  switchover: (leader, { switchover }) => switchover(leader),
};

const LED_WITHIN = 40_000;
const WHOLE_WITHIN = 120_000;

/** Kills the server that leads the stream of events. */
export function killLeader(system: System, fault: Fault): Promise<Aftermath> {
  const nats = present(system.clusters.nats);
  return takeAway(nats, fault, async (leader) => {
    await nats.kill(leader);
    return () => nats.start(leader);
  });
}

/** Takes the leader of Postgres away. A switchover takes a while, and callers continue meanwhile. */
export function failOver(system: System, fault: Fault): Promise<Aftermath> {
  const patroni = present(system.clusters.patroni);
  const lose = present(patroniLosses[fault.target]);
  return takeAway(patroni, fault, (leader) => lose(leader, patroni));
}

/** Takes the leader away, waits until another member leads, and brings the old leader back after the time of the fault. */
async function takeAway<Leader>(
  cluster: Led<Leader>,
  { kind, target, milliseconds }: Fault,
  lose: (leader: Leader) => Promise<Undo>,
): Promise<Aftermath> {
  const old = await leaderAfter(cluster);
  if (old === undefined) throw new Error('the cluster has no leader');
  const recovered = async (): Promise<void> => {
    const bringBack = await lose(old);
    const next = await leaderAfter(cluster, old);
    if (bringBack) await pause(milliseconds).then(bringBack);
    if (next === undefined) throw new Error(`${kind} ${target}: no other member leads`);
    if ((await until(cluster.isWhole, { within: WHOLE_WITHIN, every: 250 })) === undefined)
      throw new Error(`${kind} ${target}: the cluster is not whole again`);
  };
  return { whole: recovered() };
}

const leaderAfter = <Leader>({ leader }: Led<Leader>, old?: Leader): Promise<Leader | undefined> =>
  until(
    async () => {
      const found = await leader();
      return found === old ? undefined : found;
    },
    { within: LED_WITHIN, every: 50 },
  );

function present<T>(wanted: T | undefined): T {
  if (wanted === undefined)
    throw new Error('this system does not have the cluster or the way to lose its leader');
  return wanted;
}
