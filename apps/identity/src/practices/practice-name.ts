import type { EntityManager } from 'typeorm';
import { PracticeRecord } from '../store/record.entities.js';

/** The name of the practice that the transaction acts for. */
export async function nameOf(tables: EntityManager, therapistId: string): Promise<string | undefined> {
  return (await tables.findOneBy(PracticeRecord, { therapistId, id: therapistId }))?.name;
}
