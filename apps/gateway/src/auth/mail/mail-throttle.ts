import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';

/** One mail a minute for an account, whether or not it exists: the answer must not reveal that. */
export class MailThrottle extends Throttle {
  constructor(counters: Counters) {
    super(counters, { name: 'mails', points: 1, seconds: 60 });
  }
}
