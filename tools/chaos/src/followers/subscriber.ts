// A subscriber of the bus: it receives all events of all practices, over a connection that can be cut.
import { appendFileSync } from 'node:fs';
import { subscribe, connect, type ConnectionLogger } from '@practice/bus';
import { createReceived } from './received.js';

/** Subscribes under a permanent name. @param logFile receives the log lines of the subscription */
export async function startSubscriber(url: string, logFile: string) {
  const received = createReceived();
  const connection = await connect({ url, name: 'chaos', logger: loggerInto(logFile) });
  const subscription = await subscribe({
    connection,
    name: 'chaos',
    handler: ({ service, therapistId, position }) => received.take(service, therapistId, position),
  });
  return {
    received,
    stop: async (): Promise<void> => {
      await subscription.stop();
      await connection.close();
    },
  };
}

function loggerInto(file: string): ConnectionLogger {
  const line =
    (level: string) =>
    (details: object, message: string): void =>
      appendFileSync(file, `${new Date().toISOString()} ${level} ${message} ${JSON.stringify(details)}\n`);
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
