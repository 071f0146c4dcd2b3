/** Counts the requests in progress, so that a closing server can wait for the last one. */
export interface InWork {
  count(): number;
  begin(): void;
  end(): void;
  /** Resolves when no request is in progress, at the latest after `milliseconds`. */
  settled(milliseconds: number): Promise<void>;
}

export function createInWork(): InWork {
  let count = 0;
  let whenNone: (() => void) | undefined;
  return {
    count: () => count,
    begin: () => void count++,
    end: () => {
      if (--count === 0) whenNone?.();
    },
    settled: (milliseconds) =>
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
