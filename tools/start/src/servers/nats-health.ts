import type { DiskSpace } from '@practice/process';
import { jetstreamManager } from '@nats-io/jetstream';
import { canConnect, openConnection } from '@practice/operator';
import type { Health, HealthCheck } from '../processes/health.js';

/** JetStream may have met a full disk when this little was left: it preallocates blocks of its files. */
const NEARLY_NOTHING = 16_000_000;

/**
 * Asks whether the server answers, and JetStream too. JetStream that could not write is disabled, or refuses its streams, until the
 * server is started again. That helps only when there is space: until then the server goes on carrying requests.
 */
export function natsHealth(url: string, disk: Pick<DiskSpace, 'isLow' | 'freeBytes'>): HealthCheck['ask'] {
  let wasFull = false;
  return async (): Promise<Health> => {
    wasFull ||= disk.freeBytes < NEARLY_NOTHING;
    if (disk.isLow) return (await canConnect(url)) ? 'well' : 'silent';
    if (wasFull) {
      wasFull = false;
      return 'broken';
    }
    const connection = await openConnection(url);
    try {
      await jetstreamManager(connection, { timeout: 2000 });
      return 'well';
    } finally {
      await connection.close();
    }
  };
}
