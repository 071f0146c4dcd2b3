import { idempotencyTable, migration } from '@practice/service';

export const Idempotency1795226400000 = migration(
  'Idempotency1795226400000',
  idempotencyTable('clinical-notes'),
);
