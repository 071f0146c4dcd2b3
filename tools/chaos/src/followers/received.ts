// The events that a follower has received. It does what docs/events.md recommends: it remembers the last position of each log, and
// ignores events that are not newer.

/** The log of a service for one practice: `<service> <practice>`. */
export type LogName = `${string} ${string}`;

export function createReceived() {
  const positions = new Map<LogName, number>();
  /** Events that arrived before an earlier event of their log: that event can have no effect any more. */
  const skipped: string[] = [];
  let [effects, repeated] = [0, 0];
  return {
    /** Notes an event. */
    take: (service: string, therapistId: string, position: number): void => {
      const log: LogName = `${service} ${therapistId}`;
      const last = positions.get(log) ?? 0;
      if (position <= last) return void (repeated += 1);
      if (position > last + 1) skipped.push(`${log}: ${position} came after ${last}`);
      positions.set(log, position);
      effects += 1;
    },
    /** The position of the last event of a log that had an effect. */
    last: (log: LogName): number => positions.get(log) ?? 0,
    skipped,
    counts: () => ({ effects, repeated }),
  };
}

export type Received = ReturnType<typeof createReceived>;
