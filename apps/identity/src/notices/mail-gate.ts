import { Inject, Injectable } from '@nestjs/common';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { COUNTERS } from '../calls/counters.js';
import { mailTooSoon, noMail, refuse, tooBusy } from '../calls/problems.js';
import { OutgoingMail } from './outgoing-mail.js';

/** Admits requests of mails: the same for addresses with an account and addresses without one. */
@Injectable()
export class MailGate {
  private readonly throttle: Throttle;

  constructor(
    private readonly mail: OutgoingMail,
    @Inject(COUNTERS) counters: Counters,
  ) {
    this.throttle = new Throttle(counters, { name: 'mails', points: 1, seconds: 60 });
  }

  /**
   * Counts a request.
   * @param key what may be mailed once a minute
   * @throws {Rejection} when mail is not configured, too many mails are being sent, or the key has been mailed just now
   */
  async pass(key: string): Promise<void> {
    if (!this.mail.isPossible) refuse(noMail);
    if (this.mail.isFull) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    const seconds = await this.throttle.take(key);
    if (seconds > 0) refuse(mailTooSoon(seconds));
  }
}
