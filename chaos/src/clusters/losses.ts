// The ways in which a Patroni cluster loses its leader.
import type { Member, PatroniCluster } from '@practice/dev';

export interface Loss {
  readonly title: string;
  /** Takes the leader away. @returns brings it back; nothing if it comes back by itself */
  readonly lose: (
    leader: Member,
    cluster: PatroniCluster,
  ) => (() => Promise<void>) | Promise<void> | undefined;
}

export const losses: Readonly<Record<string, Loss>> = {
  machine: {
    title: 'the leader and its Patroni are killed',
    lose: ({ kill, start }) => {
      const killed = kill();
      return () => killed.then(start);
    },
  },
  server: {
    title: 'the Postgres of the leader is killed',
    lose: ({ crash }) => {
      crash();
      return undefined;
    },
  },
  hang: {
    title: 'the machine of the leader hangs, and is reset',
    lose: ({ freeze, kill, start }) => {
      freeze();
      // As its watchdog does.
      return () => kill().then(start);
    },
  },
  switchover: {
    title: 'a switchover',
    lose: (leader, { switchover }) => switchover(leader),
  },
};
