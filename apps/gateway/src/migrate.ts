// Brings the gateway's schema up to date, as the role that owns it.

import { migrate } from '@practice/service';
import { Accounts1763690400000 } from './migrations/1763690400000-accounts.js';
import { CompleteAccounts1763700000000 } from './migrations/1763700000000-complete-accounts.js';
import { CodeChallenges1763710000000 } from './migrations/1763710000000-code-challenges.js';
import { ForgetSessions1763720000000 } from './migrations/1763720000000-forget-sessions.js';

await migrate('gateway', [
  Accounts1763690400000,
  CompleteAccounts1763700000000,
  CodeChallenges1763710000000,
  ForgetSessions1763720000000,
]);
