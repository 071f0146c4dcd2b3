import { Injectable } from '@nestjs/common';
import { mailTooSoon, noMail, refuse, tooBusy } from '../calls/problems.js';
import { MailThrottle } from './mail-throttle.js';
import { OutgoingMail } from './outgoing-mail.js';

/** Admits requests of mails: the same for addresses with an account and addresses without one. */
@Injectable()
export class MailGate {
  constructor(
    private readonly mail: OutgoingMail,
    private readonly throttle: MailThrottle,
  ) {}

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
