/** Counts the requests in progress, so that a closing server can wait for the last one. */
export function createInWork() {
  let count = 0;
  let whenNone: (() => void) | undefined;
  return {
    count: (): number => count,
    begin: (): void => void count++,
    end: (): void => {
      if (--count === 0) whenNone?.();
    },
    /** Resolves when no request is in progress, or after `milliseconds`. */
    settled: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        if (count === 0) return resolve();
        const timer = setTimeout(resolve, milliseconds);
        whenNone = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
