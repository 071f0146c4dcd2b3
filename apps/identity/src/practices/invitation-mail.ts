import { Inject, Injectable } from '@nestjs/common';
import type { Counters } from '@practice/limits';
import { Throttle } from '@practice/limits';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { COUNTERS } from '../calls/counters.js';
import { addressOf } from '../users/users.js';
import { nameOf } from './practice-name.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { invitationMail } from '../notices/templates.js';
import { Transactions } from '../store/transactions.js';

interface SentInvitation {
  readonly therapistId: string;
  readonly email: string;
  readonly role: string;
  readonly token: string;
  /** The person who invites. */
  readonly by: string;
}

const DAY_SECONDS = 86_400;
/** Mails of one practice in a day, at most, so that invitations cannot be misused to send mail to many people. */
const A_DAY = { name: 'invitations', points: 200, seconds: DAY_SECONDS };
/** Mails of one practice to one address, and of all practices to it: an owner can delete an invitation and send it again. */
const TO_ONE = { name: 'invitations-to-one', points: 5, seconds: DAY_SECONDS };
const TO_ADDRESS = { name: 'invitations-to-address', points: 20, seconds: DAY_SECONDS };

/**
 * Mails invitations. Addresses with an account and addresses without one get the same mail, so an invitation does not reveal
 * whether there is an account.
 */
@Injectable()
export class InvitationMail {
  private readonly throttles: readonly (readonly [Throttle, (sent: SentInvitation) => string])[];

  constructor(
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly transactions: Transactions,
    @Inject(COUNTERS) counters: Counters,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.throttles = [
      [new Throttle(counters, TO_ONE), ({ therapistId, email }) => `${therapistId} ${email}`],
      [new Throttle(counters, TO_ADDRESS), ({ email }) => email],
      [new Throttle(counters, A_DAY), ({ therapistId }) => therapistId],
    ];
  }

  send(sent: SentInvitation): void {
    const { therapistId, email, role, token } = sent;
    this.mail.sendLater(async () => {
      for (const [throttle, keyOf] of this.throttles) {
        if ((await throttle.take(keyOf(sent))) === 0) continue;
        this.logger.warn({ therapistId }, 'an invitation was not mailed: too many were sent today');
        return undefined;
      }
      return invitationMail(email, {
        link: this.links.invitation(token),
        role,
        ...(await this.namesOf(sent)),
      });
    });
  }

  private namesOf({ therapistId, by: userId }: SentInvitation) {
    return this.transactions.run({ userId, therapistId }, async (tables) => ({
      practice: (await nameOf(tables, therapistId)) ?? '',
      inviter: (await addressOf(tables, userId)) ?? 'An owner',
    }));
  }
}
