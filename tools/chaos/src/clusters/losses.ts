// The ways in which clusters lose their leaders.
import type { NatsCluster } from './nats-cluster.js';
import type { PatroniCluster } from './patroni/cluster.js';
import type { Member } from './patroni/member.js';
import type { Loss } from './led.js';

/** The server that leads the stream of events is killed. */
export const natsLoss = ({ kill, start }: NatsCluster): Loss<string> => ({
  title: 'the leader of the stream is killed',
  lose: async (leader) => {
    await kill(leader);
    return () => start(leader);
  },
});

export const patroniLosses: Readonly<Record<string, (cluster: PatroniCluster) => Loss<Member>>> = {
  machine: () => ({
    title: 'the leader and its Patroni are killed',
    lose: async ({ kill, start }) => {
      await kill();
      return start;
    },
  }),
  server: () => ({
    title: 'the Postgres of the leader is killed',
    lose: async ({ crash }) => crash(),
  }),
  hang: () => ({
    title: 'the machine of the leader hangs, and is reset',
    lose: async ({ freeze, kill, start }) => {
      freeze();
      // As its watchdog does.
      return () => kill().then(start);
    },
  }),
  switchover: ({ switchover }) => ({ title: 'a switchover', lose: switchover }),
};
