import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';

/** Each unknown personal token costs a lookup, so an address may present only 100 of them in a minute. */
export class TokenThrottle extends Throttle {
  constructor(counters: Counters) {
    super(counters, { name: 'unknown-tokens', points: 100, seconds: 60 });
  }
}
