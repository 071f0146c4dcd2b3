// A cluster with a leader: NATS as the stream of events sees it, or Postgres.
import { until } from '@practice/dev';

export interface Led<Member> {
  /** The member that leads; undefined during an election. */
  readonly leader: () => Promise<Member | undefined>;
  /** Whether every member is there and has everything. */
  readonly isWhole: () => Promise<boolean>;
}

const LED_WITHIN = 40_000;
const WHOLE_WITHIN = 120_000;

/** The leader, once there is one other than `old`; undefined if no member leads within 40 seconds. */
export const leaderAfter = <Member>({ leader }: Led<Member>, old?: Member): Promise<Member | undefined> =>
  until(
    async () => {
      const found = await leader();
      return found === old ? undefined : found;
    },
    { within: LED_WITHIN, every: 50 },
  );

/** Waits until the cluster is whole, for at most two minutes. @returns whether it is */
export const becomesWhole = async ({ isWhole }: Led<unknown>): Promise<boolean> =>
  (await until(async () => (await isWhole()) || undefined, { within: WHOLE_WITHIN, every: 250 })) ?? false;
