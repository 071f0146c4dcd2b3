// How much a process may let lie before it tidies up. By their own measure V8 and Go take twice to four times what they need,
// which is right for a machine that they have to themselves; here a whole system shares one. docs/benchmarks.md tells what
// each of these is worth and what it costs.

/**
 * V8: new objects are looked through after 4 MiB instead of 16, and old ones when they have doubled rather than when they are
 * up to four times as many.
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=100'];

/**
 * glibc (mallopt(3)): one arena, for Node's threads hardly allocate; bytes of large answers go back to the system when they are
 * freed, instead of holes being kept for the next.
 */
export const nodeMemory: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024),
};

/** Go's soft limit (package runtime, `GOMEMLIMIT`): nearing it, nats-server tidies up more often; it may still go past it. */
export const natsMemory: Readonly<Record<string, string>> = { GOMEMLIMIT: '64MiB' };
