import { counter } from '@practice/metrics';

const refills = counter('practice_relay_refills_total');
// From the start, so that the first one is an increase.
for (const reason of ['lost', 'asked']) refills.inc({ reason }, 0);

/** Counts a refill of the stream. */
export const observeRefill = (why: 'lost' | 'asked for'): void =>
  refills.inc({ reason: why === 'lost' ? 'lost' : 'asked' });
