// How much garbage a process may keep before it collects. By default, V8 uses two to four times the memory that it
// needs, but here a whole system shares one machine. docs/benchmarks.md has the effect and the cost of each setting.

import { GATEWAY, LIVE, type Service } from '../settings/services.js';

/**
 * V8 collects new objects after 16 MiB. A service keeps that limit: the objects of writes in flight survive each collection, so
 * a smaller limit copies them more often. The gateway has large answers, which are cheaper with less memory in use. Most work of
 * webhooks happens in the background, where collecting more often delays no caller.
 */
const newSpaceMib: Readonly<Record<string, number>> = { [GATEWAY]: 8, [LIVE]: 8, webhooks: 4 };

/** V8 collects old objects once they have grown by this percentage since the last collection. The default is up to 300. */
const oldSpaceGrowthPercent = 100;

/** Flags of Node for the process of a service or an app. */
export function nodeFlagsOf({ name }: Service): readonly string[] {
  const mib = newSpaceMib[name];
  const growth = `--heap-growing-percent=${oldSpaceGrowthPercent}`;
  return mib === undefined ? [growth] : [growth, `--max-semi-space-size=${mib}`];
}

/**
 * glibc (mallopt(3)): one arena, because Node's threads hardly allocate; large buffers are returned to the system when they are
 * freed.
 */
export const nodeMemory: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024),
};

/**
 * A session of Postgres keeps the memory that a statement has freed. By default glibc returns it to the system, and the next
 * statement waits for the kernel to clear it again.
 */
export const postgresMemory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: String(8 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(1024 * 1024),
};
