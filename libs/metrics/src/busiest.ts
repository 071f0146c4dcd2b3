// The practices that use this process the most. There are too many practices for labels of metrics, so only the first ones are shown.

/** The requests of a practice. */
export interface Use {
  /** The id of the practice. */
  readonly therapistId: string;
  readonly requests: number;
  /** The sum of the durations of these requests, in milliseconds. */
  readonly ms: number;
}

interface Lines {
  info(fields: { readonly practices: readonly Use[] }, message: string): void;
}

const SHOWN = 3;
const MINUTE_MS = 60_000;

let before = new Map<string, Use>();
let now = new Map<string, Use>();

/** Counts a request of a practice that has ended. `ms` is its duration. */
export function countUse(therapistId: string, ms: number): void {
  now.set(therapistId, sum(now.get(therapistId), { therapistId, requests: 1, ms }));
}

/** The practices with the most time in this minute and the previous one. */
export function busiest(): Use[] {
  const both = new Map(before);
  for (const [id, use] of now) both.set(id, sum(both.get(id), use));
  return first(both);
}

/** Begins the next minute. @returns the practices with the most time in the minute that has ended */
export function nextMinute(): Use[] {
  [before, now] = [now, new Map()];
  return first(before);
}

/** Logs the busiest practices once a minute, if there were requests. */
export function logBusiest(logger: Lines): void {
  setInterval(() => {
    const practices = nextMinute();
    if (practices.length > 0) logger.info({ practices }, 'the busiest practices of the last minute');
  }, MINUTE_MS).unref();
}

const sum = (one: Use | undefined, { therapistId, requests, ms }: Use): Use => ({
  therapistId,
  requests: (one?.requests ?? 0) + requests,
  ms: (one?.ms ?? 0) + ms,
});

const first = (uses: ReadonlyMap<string, Use>): Use[] =>
  [...uses.values()]
    .sort((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map((use) => ({ ...use, ms: Math.round(use.ms) }));
