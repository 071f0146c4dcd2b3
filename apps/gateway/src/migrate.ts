// Brings the gateway's schema up to date, as the role that owns it.

import { migrate } from '@practice/service';
import { Accounts1763690400000 } from './migrations/1763690400000-accounts.js';

await migrate('gateway', [Accounts1763690400000]);
