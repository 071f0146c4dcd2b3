// A cluster of three NATS servers with three replicas of the streams. The leader of the stream of events is killed under load, each time another server.
import { setTimeout as pause } from 'node:timers/promises';
import { startNatsCluster, startSystem, type Drill, type Drilling, type NatsCluster } from '@practice/dev';
import { becomesWhole, leaderAfter } from '../clusters/led.js';
import { underLoad, type Strike } from './under-load.js';

const KILLS = 3;
/** How long a server stays away. */
const AWAY = 8_000;

export const nats: Drill = {
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
    await underLoad(
      drilling,
      stack,
      Array.from({ length: KILLS }, (_, index) => killLeader(drilling, cluster, `kill ${index + 1}`)),
    );
  },
};

const killLeader = ({ check }: Drilling, cluster: NatsCluster, title: string): Strike => ({
  title,
  strike: async () => {
    const old = await leaderAfter(cluster);
    if (old === undefined) return check(`${title}: the stream has a leader`, false);
    await cluster.kill(old);
    const next = await leaderAfter(cluster, old);
    check(`${title}: another server leads the stream`, next !== undefined, next);
    await pause(AWAY);
    await cluster.start(old);
    check(`${title}: the server comes back and catches up`, await becomesWhole(cluster));
  },
});
