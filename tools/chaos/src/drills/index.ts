// The drills that need a load and its journal: clusters lose their leaders.
import { type Drill, type Drilling, startNatsCluster, startPatroni, startSystem } from '@practice/drills';
import { becomesWhole, loseLeader, type Led, type Loss } from '../clusters/led.js';
import { natsLoss, patroniLosses } from '../clusters/losses.js';
import { underLoad, type Strike } from './under-load.js';

const KILLS = 3;
/** How long a member stays away, in milliseconds: for Postgres longer than its lease. */
const AWAY = { nats: 8_000, patroni: 12_000 };
/** How long a caller may have to repeat a request while Postgres has no leader, in milliseconds. */
const ANSWERS_WITHIN = 10_000;

/** A cluster of three NATS servers with three replicas of the streams. */
const nats: Drill = {
  name: 'nats',
  title: 'a NATS cluster of three loses the leader of the stream under load, three times',
  run: async (drilling) => {
    const cluster = await startNatsCluster(drilling);
    const stack = await startSystem(
      drilling,
      { NATS_URL: cluster.natsUrl('admin'), STREAM_REPLICAS: 3 },
      // Each service as its own user, so that the permissions hold on a cluster too.
      { route: async (servers) => ({ ...servers, natsUrl: cluster.natsUrl }) },
    );
    drilling.check('the stream of events is on three servers', await becomesWhole(cluster));
    const kill = strikeOf(drilling, cluster, { loss: natsLoss(cluster), away: AWAY.nats });
    await underLoad(drilling, stack, Array<Strike>(KILLS).fill(kill));
  },
};

/**
 * A cluster of three Postgres members under Patroni with synchronous replication. It loses its leader in each of the ways that differ: its
 * machine, its Postgres only, a machine that hangs and comes back, and a handover that was asked for.
 */
const patroni: Drill = {
  name: 'patroni',
  title: 'a Patroni cluster of three loses its leader under load in four ways, and no acknowledged write',
  run: async (drilling) => {
    const cluster = await startPatroni(drilling);
    const stack = await startSystem(drilling, { DATABASE_URL: cluster.url });
    const strikes = Object.values(patroniLosses).map((loss) => ({
      ...strikeOf(drilling, cluster, { loss: loss(cluster), away: AWAY.patroni }),
      answersWithin: ANSWERS_WITHIN,
    }));
    await underLoad(drilling, stack, strikes);
  },
};

const strikeOf = <Member>(
  { check, note }: Drilling,
  cluster: Led<Member>,
  { loss, away }: { readonly loss: Loss<Member>; readonly away: number },
): Strike => ({
  title: loss.title,
  strike: async () => {
    const began = performance.now();
    const { led, whole } = await loseLeader(cluster, loss, away);
    check(`${loss.title}: another member leads`, (await led) !== undefined);
    note(`${loss.title}: another leader after ${(performance.now() - began).toFixed(0)} ms`);
    check(`${loss.title}: the member comes back and catches up`, await whole);
  },
});

export const drillsUnderLoad: readonly Drill[] = [nats, patroni];
