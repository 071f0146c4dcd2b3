// A cluster with a leader: NATS as the stream of events sees it, or Postgres.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';

export interface Led<Member> {
  /** The member that leads; undefined during an election. */
  readonly leader: () => Promise<Member | undefined>;
  /** Whether every member is there and has everything. */
  readonly isWhole: () => Promise<boolean>;
}

/** A way to lose the leader. */
export interface Loss<Member> {
  readonly title: string;
  /** @returns brings the member back; nothing if it comes back by itself */
  readonly lose: (leader: Member) => Promise<(() => Promise<void>) | void>;
}

const LED_WITHIN = 40_000;
const WHOLE_WITHIN = 120_000;

/**
 * Takes the leader away, and brings it back after a time once another member leads.
 * @param away milliseconds
 * @throws {Error} if the cluster has no leader
 */
export async function loseLeader<Member>(cluster: Led<Member>, { lose }: Loss<Member>, away: number) {
  const old = await leaderAfter(cluster);
  if (old === undefined) throw new Error('the cluster has no leader');
  const lost = lose(old);
  const led = lost.then(() => leaderAfter(cluster, old));
  return {
    /** The member that leads instead; undefined if no other one does within 40 seconds. */
    led,
    /** Whether the cluster is whole again within two minutes. */
    whole: led.then(async () => {
      const bringBack = await lost;
      if (bringBack) await pause(away).then(bringBack);
      return becomesWhole(cluster);
    }),
  };
}

const leaderAfter = <Member>({ leader }: Led<Member>, old?: Member): Promise<Member | undefined> =>
  until(
    async () => {
      const found = await leader();
      return found === old ? undefined : found;
    },
    { within: LED_WITHIN, every: 50 },
  );

/** Waits until the cluster is whole, for at most two minutes. @returns whether it is */
const becomesWhole = async ({ isWhole }: Led<unknown>): Promise<boolean> =>
  (await until(async () => (await isWhole()) || undefined, { within: WHOLE_WITHIN, every: 250 })) ?? false;
