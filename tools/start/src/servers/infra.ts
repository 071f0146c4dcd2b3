// Postgres and NATS, prepared for the services: built in, or external ones from the settings.
import { mkdirSync } from 'node:fs';
import { startBus } from './bus.js';
import { startDatabase } from './database.js';
import type { ServerParts } from './servers.js';

/**
 * Starts Postgres and NATS at the same time, unless they are external, and prepares both.
 * @throws {Failure} when one of them is not available; the other is stopped again
 */
export async function startInfra(parts: ServerParts) {
  mkdirSync(parts.logDir, { recursive: true });
  const [database, bus] = await Promise.allSettled([startDatabase(parts), startBus(parts)]);
  if (database.status === 'fulfilled' && bus.status === 'fulfilled') {
    const { server: postgres, ...databases } = database.value;
    const { server: nats, natsUrl } = bus.value;
    const stop = async (): Promise<void> => {
      await nats?.stop();
      await postgres?.stop();
    };
    return { ...databases, natsUrl, stop };
  }
  if (database.status === 'fulfilled') await database.value.server?.stop();
  if (bus.status === 'fulfilled') await bus.value.server?.stop();
  throw database.status === 'rejected' ? database.reason : (bus as PromiseRejectedResult).reason;
}

export type Infra = Awaited<ReturnType<typeof startInfra>>;
