import type { ClientBase } from 'pg';
import { addressOf } from './credentials.js';
import { actForCaller } from '../store/transactions.js';

/** The addresses of the owners. Afterwards, the transaction acts for one of them. */
export async function ownersOf(client: ClientBase, therapistId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT user_id AS id FROM identity.access WHERE therapist_id = $1 AND role = 'owner' ORDER BY user_id`,
    [therapistId],
  );
  const addresses: string[] = [];
  for (const { id } of rows) {
    await actForCaller(client, id);
    addresses.push((await addressOf(client, id)) ?? '');
  }
  return addresses.filter((address) => address !== '');
}
