import { migration } from '@practice/service';

/** Sessions that ended long ago are forgotten, with their refresh tokens. */
export const ForgetSessions1763720000000 = migration('ForgetSessions1763720000000', [
  'GRANT DELETE ON gateway.sessions TO gateway',
]);
