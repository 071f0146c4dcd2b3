import type { WriteStream } from 'node:tty';

const WIDTH = 30;
const EVERY_MS = 100;

/** A line on a terminal that shows how far some work is. Nothing is written to a file or a pipe. */
export function progressBar(
  out: Pick<WriteStream, 'isTTY' | 'write'>,
  title: string,
): { readonly show: (done: number, total: number) => void; readonly clear: () => void } {
  if (!out.isTTY) return { show: () => undefined, clear: () => undefined };
  let shown = 0;
  return {
    show: (done, total) => {
      if (Date.now() - shown < EVERY_MS) return;
      shown = Date.now();
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
      out.write(`\r${title} [${bar}] ${Math.floor(share * 100)} % of ${total} events`);
    },
    clear: () => void (shown > 0 && out.write('\r\u001b[K')),
  };
}
