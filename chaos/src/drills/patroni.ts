// A cluster of three Postgres members under Patroni with synchronous replication. It loses its leader under load in each of the ways
// that differ: its machine, its Postgres only, a machine that hangs and comes back, and a handover that was asked for.
import { setTimeout as pause } from 'node:timers/promises';
import { startPatroni, startSystem, type Drill, type Drilling, type PatroniCluster } from '@practice/dev';
import { becomesWhole, leaderAfter } from '../clusters/led.js';
import { losses, type Loss } from '../clusters/losses.js';
import { underLoad, type Strike } from './under-load.js';

/** How long a killed or hanging member stays away: longer than its lease. */
const AWAY = 12_000;
const ANSWERS_WITHIN = 10_000;

export const patroni: Drill = {
  name: 'patroni',
  title: 'a Patroni cluster of three loses its leader under load in four ways, and no acknowledged write',
  run: async (drilling) => {
    const cluster = await startPatroni(drilling);
    const stack = await startSystem(drilling, { DATABASE_URL: cluster.url });
    const ways = Object.values(losses).map((loss) => takeAway(drilling, cluster, loss));
    await underLoad(drilling, stack, ways);
  },
};

const takeAway = ({ check, note }: Drilling, cluster: PatroniCluster, { title, lose }: Loss): Strike => ({
  ...{ title, answersWithin: ANSWERS_WITHIN },
  strike: async () => {
    const old = await cluster.leader();
    if (old === undefined) return check(`${title}: the cluster has a leader`, false);
    const began = performance.now();
    const bringBack = await lose(old, cluster);
    const next = await leaderAfter(cluster, old);
    const led = performance.now() - began;
    note(`${title}: another leader after ${led.toFixed(0)} ms`);
    check(`${title}: another member leads`, next !== undefined);
    if (bringBack !== undefined) await pause(AWAY).then(bringBack);
    check(`${title}: the member comes back as a standby`, await becomesWhole(cluster));
  },
});
