// The events that a follower has received. It does what docs/events.md recommends: it remembers the last position of each log, and
// ignores events that are not newer.

/** The log of a service for one practice: `<service> <practice>`. */
export type LogName = `${string} ${string}`;

export interface Received {
  /** Notes an event. */
  readonly take: (service: string, therapistId: string, position: number) => void;
  /** The position of the last event of a log that had an effect. */
  readonly last: (log: LogName) => number;
  /** Events that arrived before an earlier event of their log: that event can have no effect any more. */
  readonly skipped: readonly string[];
  readonly counts: () => { readonly effects: number; readonly repeated: number };
}

export function createReceived(): Received {
  const positions = new Map<LogName, number>();
  const skipped: string[] = [];
  let [effects, repeated] = [0, 0];
  return {
    take: (service, therapistId, position) => {
      const log: LogName = `${service} ${therapistId}`;
      const last = positions.get(log) ?? 0;
      if (position <= last) return void (repeated += 1);
      if (position > last + 1) skipped.push(`${log}: ${position} came after ${last}`);
      positions.set(log, position);
      effects += 1;
    },
    last: (log) => positions.get(log) ?? 0,
    skipped,
    counts: () => ({ effects, repeated }),
  };
}
