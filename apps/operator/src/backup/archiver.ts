// Archives the write-ahead log while the built-in Postgres runs. Postgres offers each complete file in pg_wal/archive_status, and
// keeps it until its archive_command succeeds. This process encrypts the file into the target and then writes a mark file. The
// command only waits for the mark, so it needs neither Node nor the key.
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@practice/process';
import { systemOf, walName } from './layout.js';
import { stateShipper } from './state.js';
import type { Target } from './target.js';

/** A folder in the cluster's folder, with a mark for each archived file that Postgres still offers. */
export const ARCHIVED = 'practice_archive';
const LOOK_EVERY_MS = 250;

/** Settings of a Postgres that is archived. If anything was written, a file is complete after half a minute at the latest. */
export const archiveSettings: Readonly<Record<string, string>> = {
  archive_mode: 'on',
  archive_timeout: '30',
  archive_command: `i=0; until test -f "${ARCHIVED}/%f"; do i=$((i+1)); test $i -le 30 || exit 1; sleep 0.1; done`,
};

export interface Archived {
  /** Folder of the cluster. */
  readonly folder: string;
  readonly dataDir: string;
  readonly target: Target;
  readonly say: (line: string) => void;
}

/** Archives until it is stopped. Call `stop` when Postgres has ended. After an error, it reports the error and tries again. */
export function startArchiver(archived: Archived) {
  const { folder, dataDir, target, say } = archived;
  const system = systemOf(folder);
  const files = offeredFiles(folder);
  const shipState = stateShipper({ dataDir, system, target });
  const stop = repeated(say, async () => {
    await shipState();
    for (const name of files.missing()) {
      await target.putOnce(walName(system, name), () => createReadStream(join(folder, 'pg_wal', name)));
      files.mark(name);
    }
    files.forget();
  });
  return { system, target, waiting: files.waiting, stop };
}

export type Archiver = ReturnType<typeof startArchiver>;

/** The files that Postgres offers, and a mark for each archived one. */
function offeredFiles(folder: string) {
  const offered = join(folder, 'pg_wal', 'archive_status');
  const marks = join(folder, ARCHIVED);
  mkdirSync(marks, { recursive: true, mode: 0o755 });
  const ready = (): string[] =>
    (existsSync(offered) ? readdirSync(offered) : [])
      .filter((name) => name.endsWith('.ready'))
      .map((name) => name.slice(0, -'.ready'.length))
      .sort();
  const missing = (): string[] => ready().filter((name) => !existsSync(join(marks, name)));
  return {
    missing,
    mark: (name: string): void => writeFileSync(join(marks, name), '', { mode: 0o644 }),
    /** Removes marks that Postgres has seen. */
    forget: (): void => {
      const wanted = new Set(ready());
      for (const name of readdirSync(marks)) if (!wanted.has(name)) rmSync(join(marks, name));
    },
    /** Seconds that the oldest complete file has waited for the target; 0 if none waits. */
    waiting: (): number => {
      const [oldest] = missing().map((name) => statSync(join(offered, `${name}.ready`)).mtimeMs);
      return oldest === undefined ? 0 : (Date.now() - oldest) / 1000;
    },
  };
}

/** Repeats the work, and does it once more when it is stopped. Reports an error once until the message changes. */
function repeated(say: Archived['say'], work: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  let trouble = '';
  const attempt = async (): Promise<void> => {
    try {
      await work();
      if (trouble !== '') say('The backup has resumed.');
      trouble = '';
    } catch (error) {
      const message = messageOf(error);
      if (message !== trouble) say(`The backup is interrupted: ${message}`);
      trouble = message;
    }
  };
  const finished = (async () => {
    while (!isStopped) {
      await attempt();
      await pause(LOOK_EVERY_MS);
    }
    await attempt();
  })();
  return () => {
    isStopped = true;
    return finished;
  };
}
