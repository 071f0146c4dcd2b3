// A subscriber of another system that gives up some events: they become dead letters.
import { subscribe, connect } from '@practice/bus';

const quiet = () => undefined;
/** One of so many events fails for good. */
const FAILS = 15;

/** Subscribes until the process ends. @param random gives a whole number below a bound */
export async function failNowAndThen(url: string, random: (below: number) => number): Promise<void> {
  const logger = { info: quiet, warn: quiet, error: quiet };
  const connection = await connect({ url, name: 'reports', logger });
  await subscribe({
    ...{ connection, name: 'reports', events: ['ClientRenamed'] as const, maxAttempts: 1 },
    handler: () => {
      if (random(FAILS) === 0) throw new Error('the report cannot be written');
    },
  });
}
