import { expect, it } from '@jest/globals';
import { progressBar, progressLine } from './progress-bar.js';

it.each([
  [{ folded: 0, all: 1000 }, 0, `[${' '.repeat(30)}] 0 %, 0 events/s`],
  [{ folded: 500, all: 1000 }, 2, `[${'#'.repeat(15)}${' '.repeat(15)}] 50 %, 250 events/s, 2 s left`],
  [{ folded: 1000, all: 1000 }, 4, `[${'#'.repeat(30)}] 100 %, 250 events/s, 0 s left`],
])('%j after %d s is shown with the rate and the remaining time', (progress, seconds, line) => {
  expect(progressLine(progress, seconds)).toBe(line);
});

it('a bar is one line on a terminal, and nothing on other outputs', () => {
  const written: string[] = [];
  const output = (isTTY: boolean) =>
    ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
  progressBar(output(false)).show({ folded: 1, all: 2 });
  expect(written).toEqual([]);
  const bar = progressBar(output(true));
  bar.show({ folded: 1, all: 2 });
  bar.show({ folded: 2, all: 2 });
  bar.clear();
  expect(written).toEqual([expect.stringContaining('50 %'), '\r\x1b[K']);
});
