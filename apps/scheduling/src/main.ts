import { defineService, runService } from '@practice/service';
import { CalendarController } from './calendar/calendar.controller.js';
import * as rules from './rules.js';

await runService(
  {
    // An appointment shows its client's name.
    ...defineService('scheduling', { rules, reads: { clients: ['name'] } }),
    extension: () => ({ controllers: [CalendarController] }),
  },
  import.meta.url,
);
