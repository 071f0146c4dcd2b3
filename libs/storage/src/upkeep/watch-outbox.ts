import type { Logger, Troubles } from '@practice/process';
import type { CrossTenantConnection } from '../connections/cross-tenant-connection.js';
import { outboxState } from './outbox.js';

const LOOK_EVERY_MS = 5_000;
/** The bound of the alert `OutboxOld`. */
export const OLD_SECONDS = 60;

export interface OutboxWatch {
  readonly service: string;
  readonly crossTenant: CrossTenantConnection;
  readonly troubles: Troubles;
  readonly logger: Pick<Logger, 'warn'>;
  /** The pause between two checks, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Reports a trouble while an event waits too long for the stream.
 * @returns a function that ends the watch
 */
export function watchOutbox({
  service,
  crossTenant,
  troubles,
  logger,
  everyMs = LOOK_EVERY_MS,
}: OutboxWatch): () => void {
  const look = async (): Promise<void> => {
    try {
      const { oldestSeconds } = await outboxState(service, crossTenant);
      const problem = `an event has waited for the stream for more than ${OLD_SECONDS} s`;
      troubles.set('outbox', oldestSeconds > OLD_SECONDS ? { place: 'outbox', problem } : null);
    } catch (err) {
      logger.warn({ err }, 'the outbox could not be read');
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}
