// npm run top: rates, latencies, processes and lag of the running system, again and again.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readSettings } from '../dev.config.js';
import type { Use } from '@practice/metrics';
import { messageOf } from '@practice/process';
import { samplesIn, scrapeText } from './samples.js';
import { readTargets } from './targets.js';
import { frame, type Scrape } from './top-frame.js';

const USAGE = `Usage: npm run top [-- OPTIONS]
  --every SECONDS   time between two pictures, 2 by default
  --once            prints one picture and ends
`;

const CLEAR = '\x1b[2J\x1b[H';

/** Shows the system of DATA_DIR until Ctrl-C. Ends with status 1 if none runs, or an argument is wrong. */
export async function top(args: readonly string[]): Promise<void> {
  try {
    const { every, isOnce } = optionsOf(args);
    const dataDir = resolve(readSettings().DATA_DIR);
    let before = await scrape(dataDir);
    do {
      await pause(every * 1000);
      const after = await scrape(dataDir);
      process.stdout.write(`${process.stdout.isTTY ? CLEAR : ''}${frame(before, after).join('\n')}\n`);
      before = after;
    } while (!isOnce);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

function optionsOf(args: readonly string[]): { readonly every: number; readonly isOnce: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { every: { type: 'string', default: '2' }, once: { type: 'boolean', default: false } },
    });
    const every = Number(values.every);
    if (!(every >= 0.1 && every <= 3600)) throw new Error('--every takes seconds, from 0.1 to 3600.');
    return { every, isOnce: values.once };
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${USAGE}`, { cause: error });
  }
}

/** @throws {Error} when no system runs on this data folder */
async function scrape(dataDir: string): Promise<Scrape> {
  if (!existsSync(join(dataDir, 'metrics-targets.json')))
    throw new Error(`No system runs on DATA_DIR=${dataDir}. Start it with npm start.`);
  const processes = await Promise.all(
    readTargets(dataDir).map(async (target) => ({
      target,
      samples: await scrapeText(target.address).then(samplesIn, () => undefined),
      practices: await scrapeText(target.address, '/practices').then(
        (text) => JSON.parse(text) as Use[],
        () => [],
      ),
    })),
  );
  return { at: performance.now(), processes };
}
