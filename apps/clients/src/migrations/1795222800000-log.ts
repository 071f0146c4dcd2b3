import { logTables } from '@practice/event-store';
import { migration, mirrorTable } from '@practice/service';

export const Log1795222800000 = migration('Log1795222800000', [
  ...logTables('clients'),
  ...mirrorTable('clients'),
]);
