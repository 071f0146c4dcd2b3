import type { Logger } from '@practice/process';
import type { CrossTenantConnection } from '../storage/cross-tenant-connection.js';
import { outboxState } from '../storage/outbox.js';
import type { Troubles } from './troubles.js';

const LOOK_EVERY_MS = 5_000;
/** The bound of the alert `OutboxOld`. */
const OLD_SECONDS = 60;

export interface OutboxWatch {
  readonly service: string;
  readonly crossTenant: CrossTenantConnection;
  readonly troubles: Troubles;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Notes a trouble while an event waits too long for the stream. It goes on until the process ends. */
export function watchOutbox({ service, crossTenant, troubles, logger }: OutboxWatch): void {
  const look = async (): Promise<void> => {
    try {
      const { oldestSeconds } = await outboxState(service, crossTenant);
      const problem = `an event has waited for the stream for more than ${OLD_SECONDS} s`;
      troubles.set('outbox', oldestSeconds > OLD_SECONDS ? { place: 'outbox', problem } : null);
    } catch (err) {
      logger.warn({ err }, 'the outbox could not be read');
    }
  };
  setInterval(() => void look(), LOOK_EVERY_MS).unref();
}
