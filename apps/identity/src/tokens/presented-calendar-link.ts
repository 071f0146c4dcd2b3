// Calendar links that a gateway presents for their holders.

import { Injectable } from '@nestjs/common';
import { calendarRoles } from '@practice/contracts';
import type { CalendarLinkEnvelope, KnownCalendarLink } from '@practice/contracts';
import { Raw } from 'typeorm';
import { nowInMilliseconds } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import type { Standing } from '../users/access.js';
import { isEnrolled } from '../users/users.js';

/** Whether a person with this standing reads by calendar links. */
export const canHaveCalendar = (standing: Standing | undefined): standing is Standing =>
  standing !== undefined && !standing.isHeld && calendarRoles.some((role) => role === standing.role);

/** A link whose last use is noted so recently is not written again. */
const isOldUse = Raw((column) => `(${column} IS NULL OR ${column} < now() - interval '5 minutes')`);

@Injectable()
export class PresentedCalendarLinks {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The link with this hash, with the role that its maker has now. Records its use. Null when the link does not exist or the maker has
   * no access: no longer a member, with another role, or without the second factor that the practice requires.
   */
  async present({ hash, address }: CalendarLinkEnvelope): Promise<KnownCalendarLink | null> {
    const link = await this.transactions.run({ presented: hash }, (tables) =>
      tables.findOneBy(CalendarLink, { secretHash: hash }),
    );
    if (link === null) return null;
    const { id, therapistId, userId, isFull: full, practitionerId } = link;
    return this.transactions.run({ therapistId }, async (tables) => {
      const standing = await standingIn(tables, link);
      if (!canHaveCalendar(standing)) return null;
      if (standing.requiresMfa) {
        await actForCaller(tables, userId);
        if (!(await isEnrolled(tables, userId))) return null;
      }
      const use = { lastUsedAt: nowInMilliseconds, lastUsedAddress: address };
      await tables.update(CalendarLink, { therapistId, id, lastUsedAt: isOldUse }, use);
      return { id, therapistId, userId, full, practitionerId, practiceRole: standing.role };
    });
  }
}
