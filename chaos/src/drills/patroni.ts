// A cluster of three Postgres members under Patroni with synchronous replication. It loses its leader under load in each of the ways
// that differ: its machine, its Postgres only, a machine that hangs and comes back, and a handover that was asked for.
import { setTimeout as pause } from 'node:timers/promises';
import {
  startPatroni,
  startSystem,
  until,
  type Drill,
  type Drilling,
  type Member,
  type PatroniCluster,
} from '@practice/dev';
import { underLoad, type Strike } from './under-load.js';

const LED_WITHIN = 40_000;
const WHOLE_WITHIN = 60_000;
/** How long a killed or hanging member stays away: longer than its lease. */
const AWAY = 12_000;
const ANSWERS_WITHIN = 10_000;

export const patroni: Drill = {
  name: 'patroni',
  title: 'a Patroni cluster of three loses its leader under load in four ways, and no acknowledged write',
  run: async (drilling) => {
    const cluster = await startPatroni(drilling);
    const stack = await startSystem(drilling, { DATABASE_URL: cluster.url });
    const ways = Object.entries(losses).map(([title, lose]) => takeAway(drilling, cluster, { title, lose }));
    await underLoad(drilling, stack, ways);
  },
};

/** Takes the leader away. @returns brings it back; by itself, unless given */
type Lose = (leader: Member, cluster: PatroniCluster) => (() => Promise<void>) | Promise<void> | undefined;

const losses: Readonly<Record<string, Lose>> = {
  'the leader and its Patroni are killed': ({ kill, start }) => {
    const killed = kill();
    return () => killed.then(start);
  },
  'the Postgres of the leader is killed': ({ crash }) => {
    crash();
  },
  'the machine of the leader hangs, and is reset': ({ freeze, kill, start }) => {
    freeze();
    // As its watchdog does.
    return () => kill().then(start);
  },
  'a switchover': (leader, { switchover }) => switchover(leader),
};

const takeAway = (
  { check, note }: Drilling,
  cluster: PatroniCluster,
  { title, lose }: { title: string; lose: Lose },
): Strike => ({
  ...{ title, answersWithin: ANSWERS_WITHIN },
  strike: async () => {
    const old = await cluster.leader();
    if (old === undefined) return check(`${title}: the cluster has a leader`, false);
    const began = performance.now();
    const bringBack = await lose(old, cluster);
    const next = await until(
      async () => {
        const leader = await cluster.leader();
        return leader === old ? undefined : leader;
      },
      { within: LED_WITHIN, every: 50 },
    );
    const led = performance.now() - began;
    note(`${title}: another leader after ${led.toFixed(0)} ms`);
    check(`${title}: another member leads`, next !== undefined);
    if (bringBack !== undefined) await pause(AWAY).then(bringBack);
    check(`${title}: the member comes back as a standby`, await becomesWhole(cluster));
  },
});

const becomesWhole = async ({ isWhole }: PatroniCluster): Promise<boolean> =>
  (await until(async () => (await isWhole()) || undefined, { within: WHOLE_WITHIN, every: 250 })) ?? false;
