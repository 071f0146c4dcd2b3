import { connect, type Connection } from '../../messaging/connection.js';
import { natsUrl } from './program.config.js';

/**
 * Runs a command on a connection to NATS_URL and prints its result. If it fails, prints the error and sets exit status 1.
 */
export async function withConnection(command: (connection: Connection) => Promise<string>): Promise<void> {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  try {
    const connection = await connect({ url: natsUrl, name: 'npm run events', logger });
    try {
      process.stdout.write(`${await command(connection)}\n`);
    } finally {
      await connection.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
