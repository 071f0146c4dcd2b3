import { calendarLinks } from '@practice/contracts';
import { instant } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler } from '@practice/write';
import { Transactions } from '../store/transactions.js';
import { listCalendarLinks } from './stored-calendar-links.js';

@Handles(calendarLinks)
export class ListCalendarLinks implements FunctionHandler<typeof calendarLinks> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { therapistId, userId, practiceRole } }: FunctionCall) {
    const maker = practiceRole === 'owner' ? null : userId;
    const links = await this.transactions.run({ therapistId }, (client) =>
      listCalendarLinks(client, therapistId, maker),
    );
    return links.map((link) => ({
      ...link,
      created_at: instant(link.created_at.getTime()),
      last_used_at: link.last_used_at && instant(link.last_used_at.getTime()),
    }));
  }
}
