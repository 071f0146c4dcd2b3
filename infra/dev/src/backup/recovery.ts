// The other half of the archiver: a Postgres that recovers asks for files of the write-ahead log, and this process decrypts them.
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../postgres/cluster.js';
import { walName } from './layout.js';
import type { Target } from './target.js';

/** In the cluster's folder: `<file>.wanted` asks, `<file>` or `<file>.none` answers. */
const ASKED = 'practice_restore';
const LOOK_EVERY_MS = 20;

/** Status 1 means that the archive does not have the file; above 125, recovery ends: this process is gone. */
const RESTORE_COMMAND =
  `d=${ASKED}; rm -f "$d/%f" "$d/%f.none"; touch "$d/%f.wanted"; i=0; ` +
  `until test -f "$d/%f" || test -f "$d/%f.none"; do i=$((i+1)); test $i -le 3000 || exit 200; sleep 0.02; done; ` +
  `test -f "$d/%f" && cp "$d/%f" "%p" && rm "$d/%f"`;

export interface Wanted {
  /** Recovers up to this time; to the end of the archive if it is undefined. */
  readonly to: Date | undefined;
  /** The timeline to follow: the latest one, unless given. */
  readonly timeline: string;
}

/** Settings of a Postgres that recovers, and then goes on as a new timeline. */
export const recoverySettings = ({ to, timeline }: Wanted): Readonly<Record<string, string>> => ({
  restore_command: RESTORE_COMMAND,
  recovery_target_timeline: timeline,
  recovery_target_action: 'promote',
  // Otherwise Postgres says that it is ready while it still recovers.
  hot_standby: 'off',
  ...(to === undefined
    ? {}
    : { recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00') }),
});

/** Answers until it is stopped. @returns a function that stops it; it rejects if a file of the target is damaged */
export function serveWal(
  { folder, account }: Cluster,
  { system, target }: { readonly system: string; readonly target: Target },
): () => Promise<void> {
  const asked = join(folder, ASKED);
  mkdirSync(asked, { mode: 0o700, recursive: true });
  if (account) chownSync(asked, account.uid, account.gid);
  writeFileSync(join(folder, 'recovery.signal'), '');
  if (account) chownSync(join(folder, 'recovery.signal'), account.uid, account.gid);
  let isStopped = false;
  const answer = async (name: string): Promise<void> => {
    rmSync(join(asked, `${name}.wanted`), { force: true });
    const file = walName(system, name);
    if (!target.has(file)) return writeFile(join(asked, `${name}.none`), '');
    const half = join(asked, `${name}.part`);
    await writeFile(half, target.get(file), { mode: 0o644 });
    await rename(half, join(asked, name));
  };
  const finished = (async () => {
    while (!isStopped) {
      const names = existsSync(asked) ? readdirSync(asked) : [];
      for (const name of names) if (name.endsWith('.wanted')) await answer(name.slice(0, -'.wanted'.length));
      await pause(LOOK_EVERY_MS);
    }
  })();
  // Reported by the function that stops it; Postgres ends meanwhile.
  finished.catch(() => undefined);
  return async () => {
    isStopped = true;
    await finished.finally(() => rmSync(asked, { recursive: true, force: true }));
  };
}
