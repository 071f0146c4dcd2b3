// How much garbage a process may keep before it collects. By default V8 and Go use two to four times the memory that they
// need; here a whole system shares one machine. docs/benchmarks.md has the effect and the cost of each setting.

/** V8: collects new objects after 4 MiB instead of 16. Old objects keep V8's own limits: a tighter one costs writes. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=4'];

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
