// Calendar links that a gateway presents for their holders.

import { Injectable } from '@nestjs/common';
import { calendarRoles } from '@practice/contracts';
import type { CalendarLinkEnvelope, KnownCalendarLink } from '@practice/contracts';
import { isEnrolled } from '../factors/factors.js';
import { standingIn } from '../users/access.js';
import type { Standing } from '../users/access.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { calendarLinkByHash, noteCalendarUse } from './stored-calendar-links.js';

/** Whether a person with this standing reads by calendar links. */
export const canHaveCalendar = (standing: Standing | undefined): standing is Standing =>
  standing !== undefined && !standing.isHeld && calendarRoles.some((role) => role === standing.role);

@Injectable()
export class PresentedCalendarLinks {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The link with this hash, with the role that its maker has now. Records its use. Null when the link does not exist or the maker has
   * no access: no longer a member, with another role, or without the second factor that the practice requires.
   */
  async present({ hash, address }: CalendarLinkEnvelope): Promise<KnownCalendarLink | null> {
    const link = await this.transactions.run({ presented: hash }, (client) =>
      calendarLinkByHash(client, hash),
    );
    if (link === undefined) return null;
    return this.transactions.run({ therapistId: link.therapistId }, async (client) => {
      const standing = await standingIn(client, link);
      if (!canHaveCalendar(standing)) return null;
      if (standing.requiresMfa) {
        await actForCaller(client, link.userId);
        if (!(await isEnrolled(client, link.userId))) return null;
      }
      await noteCalendarUse(client, link, address);
      return { ...link, practiceRole: standing.role };
    });
  }
}
