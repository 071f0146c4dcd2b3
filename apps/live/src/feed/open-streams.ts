import { problemFor, reject } from '@practice/core';
import type { Identity } from '@practice/core';
import { gauge } from '@practice/metrics';

type Member = Pick<Identity, 'userId' | 'therapistId'>;

const MOST_OF_MEMBER = 10;
const RETRY_SECONDS = '30';

const streams = gauge('practice_feed_streams');

/**
 * Counts the open streams of each member of a practice in this process. Every gateway sends all streams of a practice to the same
 * process, so the limit holds however many processes there are. While a process is away, its practices are counted at another.
 */
export class OpenStreams {
  private readonly byMember = new Map<string, number>();
  private readonly ends = new Set<() => void>();

  /**
   * Counts a stream, or a request that waits.
   * @param end ends it when the process stops
   * @returns a function that ends the count
   * @throws {Rejection} PM004 when the member has too many
   */
  enter({ userId, therapistId }: Member, end: () => void): () => void {
    const member = `${userId} ${therapistId}`;
    const count = this.byMember.get(member) ?? 0;
    if (count >= MOST_OF_MEMBER)
      reject({
        ...problemFor('PM004', { message: `A member may have ${MOST_OF_MEMBER} open streams of events` }),
        headers: { 'Retry-After': RETRY_SECONDS },
      });
    this.byMember.set(member, count + 1);
    this.ends.add(end);
    streams.set(this.ends.size);
    return () => {
      if (!this.ends.delete(end)) return;
      streams.set(this.ends.size);
      const left = (this.byMember.get(member) ?? 1) - 1;
      if (left > 0) this.byMember.set(member, left);
      else this.byMember.delete(member);
    };
  }

  endAll(): void {
    for (const end of this.ends) end();
  }
}
