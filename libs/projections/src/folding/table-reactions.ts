// Reactions that every service has to another service's events: they change tables that hold no records, in the transaction that
// moves the mirror. So each has its effect exactly once, under the lock of the practice.

import { erasures, personalServices, practices } from '@practice/contracts';
import { closePractice } from '@practice/log';
import type { Statement } from '@practice/log';
import type { Change } from '@practice/resource';
import { eraseStatements } from '@practice/privacy';
import type { PracticeLog } from '@practice/write';

export interface TableReaction {
  /** The resource of another service. */
  readonly when: string;
  /** The services that react; all of them if it is not given. */
  readonly by?: readonly string[];
  /** The columns of it that the mirror stores for this. */
  readonly reads: readonly string[];
  concerns(change: Change): boolean;
  statements(log: PracticeLog, change: Change): readonly Statement[];
}

/** The head of the log has the time of the erasure while the practice is closed. */
const closesPractice: TableReaction = {
  when: practices.name,
  reads: ['erase_at'],
  concerns: (change) => eraseAt(change.before) !== eraseAt(change.after),
  statements: ({ service, therapistId }, { after }) => [
    closePractice(service, { therapistId, eraseAt: eraseAt(after) }),
  ],
};

/** Everything personal is erased in the service. */
const erasesPractice: TableReaction = {
  when: practices.name,
  reads: ['erased_at'],
  concerns: ({ before, after }) => !isErasedPractice(before) && isErasedPractice(after),
  statements: ({ service, therapistId }) => eraseStatements({ service, therapistId, client: 'all' }),
};

/** @param row of the mirror of practices */
export const isErasedPractice = (row: Change['after']): boolean => (row?.['erased_at'] ?? null) !== null;

const eraseAt = (row: Change['after']): string | null => (row?.['erase_at'] ?? null) as string | null;

/**
 * The personal values of a client are erased. The event comes after all earlier ones about the client, so nothing that is erased
 * comes back.
 */
const erasesClient: TableReaction = {
  when: erasures.name,
  by: personalServices,
  reads: ['client_id'],
  concerns: ({ before, after }) => before === null && after !== null,
  statements: ({ service, therapistId }, { after }) =>
    eraseStatements({ service, therapistId, client: String(after?.['client_id']) }),
};

export const tableReactions: readonly TableReaction[] = [closesPractice, erasesPractice, erasesClient];
