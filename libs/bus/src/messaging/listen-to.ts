import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Connection } from './connection.js';

/**
 * Hears what processes publish on a subject. A NATS user chooses the deliver subject of its consumer, and no permission covers it:
 * JetStream then sends any event there, with a reply subject, and heartbeats, without data. Both are refused.
 * @param hear an error of it is logged, because an error in the callback of a subscription would end the connection
 */
export function listenTo(
  { nats, logger }: Pick<Connection, 'nats' | 'logger'>,
  subject: string,
  hear: (message: Msg) => void,
): Subscription {
  return nats.subscribe(subject, {
    callback: (error, message) => {
      if (error) return logger.error({ err: error, subject }, 'messages cannot be received');
      if (message.reply || message.data.length === 0)
        return logger.warn({ subject }, 'a message was refused: JetStream has sent it');
      try {
        hear(message);
      } catch (failure) {
        logger.error({ err: failure, subject }, 'a message cannot be read');
      }
    },
  });
}
