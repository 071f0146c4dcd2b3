// The counterpart of the archiver: a Postgres that recovers asks for files of the write-ahead log, and this process decrypts them.
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../postgres/cluster.js';
import { walName } from './layout.js';
import type { Target } from './target.js';

/** A folder in the cluster's folder. `<file>.wanted` asks for a file; the answer is `<file>`, or `<file>.no` with an exit status. */
const ASKED = 'practice_restore';
const LOOK_EVERY_MS = 20;
/** Statuses of `restore_command`. Recovery ends without a result at a status above 125. */
const [ABSENT, REFUSED] = [1, 200];

const RESTORE_COMMAND =
  `d=${ASKED}; rm -f "$d/%f" "$d/%f.no"; touch "$d/%f.wanted"; i=0; ` +
  `until test -f "$d/%f" || test -f "$d/%f.no"; do i=$((i+1)); test $i -le 3000 || exit ${REFUSED}; sleep 0.02; done; ` +
  `test ! -f "$d/%f.no" || exit $(cat "$d/%f.no"); cp "$d/%f" "%p" && rm "$d/%f"`;

/** Settings of a Postgres that recovers up to a time, or to the end of the archive, and then begins a new timeline. */
export const recoverySettings = (
  timeline: number,
  to: Date | undefined,
): Readonly<Record<string, string>> => ({
  restore_command: RESTORE_COMMAND,
  recovery_target_timeline: String(timeline),
  recovery_target_action: 'promote',
  // Otherwise, Postgres reports that it is ready while it still recovers.
  hot_standby: 'off',
  // The new timeline is archived when the restored system starts: until then, the target stays as it is.
  archive_mode: 'on',
  archive_command: '',
  ...(to !== undefined && {
    recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
    // Otherwise, Postgres reads ahead, and a damaged file after the time would end the recovery.
    recovery_prefetch: 'off',
  }),
});

/** Answers requests for files until it is stopped. @returns a function that stops it, and rejects if a file of the target is damaged */
export function serveWal(
  { folder, account }: Cluster,
  { system, target }: { readonly system: string; readonly target: Target },
): () => Promise<void> {
  const [asked, recovers] = [join(folder, ASKED), join(folder, 'recovery.signal')];
  mkdirSync(asked, { mode: 0o700, recursive: true });
  writeFileSync(recovers, '');
  if (account) for (const made of [asked, recovers]) chownSync(made, account.uid, account.gid);
  let isStopped = false;
  const answer = async (name: string): Promise<void> => {
    rmSync(join(asked, `${name}.wanted`), { force: true });
    const half = join(asked, `${name}.part`);
    const reply = async (content: Readable | string, as: string): Promise<void> => {
      await writeFile(half, content, { mode: 0o644 });
      await rename(half, join(asked, as));
    };
    const file = walName(system, name);
    if (!target.has(file)) return reply(String(ABSENT), `${name}.no`);
    try {
      await reply(target.get(file), name);
    } catch (error) {
      await reply(String(REFUSED), `${name}.no`);
      throw error;
    }
  };
  const finished = (async () => {
    while (!isStopped) {
      const names = existsSync(asked) ? readdirSync(asked) : [];
      for (const name of names) if (name.endsWith('.wanted')) await answer(name.slice(0, -'.wanted'.length));
      await pause(LOOK_EVERY_MS);
    }
  })();
  // The function that stops the process reports the error. Postgres has ended by then.
  finished.catch(() => undefined);
  return async () => {
    isStopped = true;
    await finished.finally(() => rmSync(asked, { recursive: true, force: true }));
  };
}
