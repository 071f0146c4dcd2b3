import { logTables } from '@practice/event-store';
import { migration } from '@practice/service';

export const Log1795219200000 = migration('Log1795219200000', logTables('scheduling'));
