// Two practices: no request of one shows, changes, counts or reveals anything of the other.

import { isolationMatrix } from './matrix.js';
import { randomAttacks } from './random-attacks.js';

isolationMatrix(() => undefined);
randomAttacks(() => undefined, 250);
