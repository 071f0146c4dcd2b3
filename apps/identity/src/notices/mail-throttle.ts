import { Inject, Injectable } from '@nestjs/common';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { COUNTERS } from '../calls/counters.js';

/** One mail a minute for an account, whether or not it exists: the response must not reveal that. */
@Injectable()
export class MailThrottle extends Throttle {
  constructor(@Inject(COUNTERS) counters: Counters) {
    super(counters, { name: 'mails', points: 1, seconds: 60 });
  }
}
