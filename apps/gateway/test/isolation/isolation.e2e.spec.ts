// Two practices: nothing of one is seen, changed, counted or betrayed through the other, whatever is asked.

import { isolationMatrix } from './matrix.js';
import { randomAttacks } from './random-attacks.js';

isolationMatrix(() => undefined);
randomAttacks(() => undefined, 250);
