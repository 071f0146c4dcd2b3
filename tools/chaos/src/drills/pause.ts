import { performance } from 'node:perf_hooks';

const LOOKS_EVERY = 20;

export interface Watched {
  /** The longest time for which the count stood still since the last call, in milliseconds. */
  readonly longest: () => number;
  readonly stop: () => void;
}

/** Watches how long a count stands still. It looks every 20 ms. */
export function watchPauses(count: () => number): Watched {
  let [known, since, longest] = [count(), performance.now(), 0];
  const look = (): void => {
    const [now, next] = [performance.now(), count()];
    longest = Math.max(longest, now - since);
    if (next !== known) [known, since] = [next, now];
  };
  const timer = setInterval(look, LOOKS_EVERY);
  return {
    longest: () => {
      look();
      const found = Math.round(longest);
      longest = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}
