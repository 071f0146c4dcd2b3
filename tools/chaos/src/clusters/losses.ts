// The ways in which clusters lose their leaders.
import type { NatsCluster } from './nats-cluster.js';
import type { PatroniCluster } from './patroni/cluster.js';
import type { Member } from './patroni/member.js';

/** A cluster with a leader: the leader of the stream of events in NATS, or the one of Postgres. */
export interface Led<Member> {
  /** The member that leads; undefined during an election. */
  readonly leader: () => Promise<Member | undefined>;
  /** Whether every member is available and has all data. */
  readonly isWhole: () => Promise<boolean>;
}

/** A way to lose the leader. */
export interface Loss<Member> {
  readonly title: string;
  /** @returns a function that brings the member back, or nothing if it comes back by itself */
  readonly lose: (leader: Member) => Promise<(() => Promise<void>) | void>;
}

/** Kills the server that leads the stream of events. */
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
