import type { DiskSpace } from '@practice/process';
import { jetstreamManager } from '@nats-io/jetstream';
import { canConnect, withConnection } from '@practice/operator';
import type { Health, HealthCheck } from '../processes/health.js';

/**
 * Asks whether the server and its JetStream answer. A JetStream that could not write is disabled, or refuses its streams, until the
 * server is started again. A restart helps only when the disk has space: until then, the server continues to carry requests.
 */
export function natsHealth(url: string, disk: Pick<DiskSpace, 'isLow' | 'fullAt'>): HealthCheck['ask'] {
  let known = 0;
  return async (): Promise<Health> => {
    if (disk.isLow) return (await canConnect(url)) ? 'well' : 'silent';
    if (disk.fullAt > known) {
      known = disk.fullAt;
      return 'broken';
    }
    await withConnection(url, (connection) => jetstreamManager(connection, { timeout: 2000 }));
    return 'well';
  };
}
