// How much garbage a process may keep before it collects. By default V8 and Go use two to four times the memory that they
// need; here a whole system shares one machine. docs/benchmarks.md has the effect and the cost of each setting.

import type { Service } from '../services.js';

/**
 * V8 collects new objects after 16 MiB. A service keeps that limit: the objects of writes in flight survive each collection, so
 * a smaller limit copies them more often. The gateway has large answers, which are cheaper with less memory in use.
 */
export const nodeFlagsOf = ({ answers }: Service): readonly string[] =>
  answers ? [] : ['--max-semi-space-size=8'];

/**
 * glibc (mallopt(3)): one arena, because Node's threads hardly allocate; large buffers are returned to the system when they are
 * freed.
 */
export const nodeMemory: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024),
};

/** Go's soft limit (package runtime, `GOMEMLIMIT`): near it, nats-server collects more often; it may still exceed it. */
export const natsMemory: Readonly<Record<string, string>> = { GOMEMLIMIT: '64MiB' };

/**
 * A session of Postgres keeps the memory that a statement has freed. By default glibc returns it to the system, and the next
 * statement waits for the kernel to clear it again.
 */
export const postgresMemory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: String(8 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(1024 * 1024),
};
