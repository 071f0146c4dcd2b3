import { connect, type Connection } from '@practice/bus';
import { createLogger } from '@practice/process';
import { readNatsUrl } from './command.config.js';

/** Runs `work` for a command of a service on a connection to the bus, and closes the connection afterwards. */
export async function withBus<T>(
  service: string,
  command: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const logger = createLogger(service, 'warn');
  const connection = await connect({ url: readNatsUrl(), name: `${service} ${command}`, logger });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
