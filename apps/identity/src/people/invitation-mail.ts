import { Inject, Injectable } from '@nestjs/common';
import type { Counters } from '@practice/limits';
import { Throttle } from '@practice/limits';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { COUNTERS } from '../counters.js';
import { OutgoingMail } from '../mail/outgoing-mail.js';
import { SiteLinks } from '../mail/site-links.js';
import { invitationMail } from '../mail/templates.js';

interface SentInvitation {
  readonly therapistId: string;
  readonly email: string;
  readonly token: string;
}

/** Mails of one practice in a day, at most, so that invitations cannot be misused to send mail to many people. */
const A_DAY = { name: 'invitations', points: 200, seconds: 86_400 };

/**
 * Mails invitations. Addresses with an account and addresses without one get the same mail, so an invitation does not reveal
 * whether there is an account.
 */
@Injectable()
export class InvitationMail {
  private readonly throttle: Throttle;

  constructor(
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    @Inject(COUNTERS) counters: Counters,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.throttle = new Throttle(counters, A_DAY);
  }

  send({ therapistId, email, token }: SentInvitation): void {
    this.mail.sendLater(async () => {
      const seconds = await this.throttle.take(therapistId);
      if (seconds === 0) return invitationMail(email, this.links.invitation(token));
      this.logger.warn({ therapistId }, 'an invitation was not mailed: the practice has sent too many today');
      return undefined;
    });
  }
}
