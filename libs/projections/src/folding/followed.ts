import type { Statement } from '@practice/log';
import type { Progress } from '@practice/bus';
import { followedOf } from '@practice/storage';

/** Notes that the mirror has every event of a subscription up to a sequence. The progress must be read before the statement runs. */
export const noteFollowed = (
  service: string,
  subscription: string,
  { stream, handled }: Pick<Progress, 'stream' | 'handled'>,
): Statement => ({
  text: `INSERT INTO ${followedOf(service)} AS f (subscription, stream, sequence) VALUES ($1, $2, $3)
ON CONFLICT (subscription) DO UPDATE SET stream = excluded.stream, sequence = excluded.sequence
WHERE (f.stream, f.sequence) IS DISTINCT FROM (excluded.stream, excluded.sequence)`,
  values: [subscription, stream, handled],
});
