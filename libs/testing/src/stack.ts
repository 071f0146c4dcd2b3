import { runningStack, type JoinedStack } from '@practice/dev';

/**
 * The running system that the integration and end-to-end specs share: real Postgres, real NATS, every process.
 * Specs do not disturb each other: each signs up practices of its own.
 */
export const stack = (): JoinedStack => runningStack();
