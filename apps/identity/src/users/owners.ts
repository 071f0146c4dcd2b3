import type { EntityManager } from 'typeorm';
import { Access } from '../store/practice.entities.js';
import { actForCaller } from '../store/transactions.js';
import { addressOf } from './users.js';

/** The addresses of the owners. Afterwards, the transaction acts for one of them. */
export async function ownersOf(tables: EntityManager, therapistId: string): Promise<string[]> {
  const owners = await tables.find(Access, {
    where: { therapistId, role: 'owner' },
    order: { userId: 'ASC' },
  });
  const addresses: string[] = [];
  for (const { userId } of owners) {
    await actForCaller(tables, userId);
    addresses.push((await addressOf(tables, userId)) ?? '');
  }
  return addresses.filter((address) => address !== '');
}
