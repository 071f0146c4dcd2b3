// The progress of a command on a terminal: a bar, the rate, and an estimate of the remaining time.

import type { FoldProgress } from '../rebuild/fold-new.js';

const WIDTH = 30;
const SHOWN_EVERY_MS = 200;

/** A line such as `[#####     ] 50 %, 21000 events/s, 4 s left`. @param seconds the time since the first event */
export function progressLine({ folded, all }: FoldProgress, seconds: number): string {
  const share = all === 0 ? 1 : folded / all;
  const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH);
  const rate = seconds > 0 ? folded / seconds : 0;
  const left = rate > 0 ? `, ${Math.ceil((all - folded) / rate)} s left` : '';
  return `[${bar}] ${Math.floor(share * 100)} %, ${Math.round(rate)} events/s${left}`;
}

/** Shows the progress in one line of a terminal. `clear` empties the line. Writes nothing if the output is not a terminal. */
export function progressBar(output: NodeJS.WriteStream): {
  readonly show: (progress: FoldProgress) => void;
  readonly clear: () => void;
} {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined };
  const began = performance.now();
  let shownAt = -Infinity;
  return {
    show: (progress) => {
      const now = performance.now();
      if (now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      output.write(`\r\x1b[K${progressLine(progress, (now - began) / 1000)}`);
    },
    clear: () => void output.write('\r\x1b[K'),
  };
}
