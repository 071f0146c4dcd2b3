// Postgres and NATS, prepared for the services: built in, or external ones from the settings.
import { mkdirSync } from 'node:fs';
import { startBus } from './bus.js';
import { startDatabase } from './database.js';
import type { Bus, Database, ServerParts } from './servers.js';

export interface Infra extends Omit<Database, 'server'>, Omit<Bus, 'server'> {
  readonly stop: () => Promise<void>;
}

/**
 * Starts Postgres and NATS at the same time, unless they are external, and prepares both.
 * @throws {Failure} when one of them is not available; the other is stopped again
 */
export async function startInfra(parts: ServerParts): Promise<Infra> {
  mkdirSync(parts.logDir, { recursive: true });
  const [database, bus] = await Promise.allSettled([startDatabase(parts), startBus(parts)]);
  if (database.status === 'fulfilled' && bus.status === 'fulfilled')
    return together(database.value, bus.value);
  if (database.status === 'fulfilled') await database.value.server?.stop();
  if (bus.status === 'fulfilled') await bus.value.server?.stop();
  throw database.status === 'rejected' ? database.reason : (bus as PromiseRejectedResult).reason;
}

function together({ server: postgres, ...database }: Database, { server: nats, natsUrl }: Bus): Infra {
  return {
    ...database,
    natsUrl,
    stop: async () => {
      await nats?.stop();
      await postgres?.stop();
    },
  };
}
