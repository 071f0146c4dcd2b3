// Reactions that every service has to another service's events: they change tables that hold no records, in the transaction that
// moves the mirror. So each reaction has its effect exactly once, under the lock of the practice.

import { catalog, personalServices } from '@practice/contracts';
import { closePractice, type Statement } from '@practice/log';
import type { Change, Resource } from '@practice/resource';
import { eraseStatements } from '@practice/privacy';
import type { PracticeLog } from '@practice/write';
import { eraseAt, isErasedPractice } from './practice-record.js';

export interface TableReaction {
  /** The resource of another service. */
  readonly when: string;
  /** The services that react; all services by default. */
  readonly by?: readonly string[];
  /** The columns of that resource that the mirror stores for this reaction. */
  readonly reads: readonly string[];
  concerns(change: Change): boolean;
  statements(log: PracticeLog, change: Change): readonly Statement[];
}

/** The reactions that the definition of a resource asks for. */
const reactionsTo = (resource: Resource): TableReaction[] => [
  ...(resource.endOfPractice === undefined
    ? []
    : [closesPractice(resource, resource.endOfPractice), erasesPractice(resource, resource.endOfPractice)]),
  ...(resource.erasesClient === undefined ? [] : [erasesClient(resource, resource.erasesClient)]),
];

type EndOfPractice = NonNullable<Resource['endOfPractice']>;

/** The head of the log has the time of the erasure while the practice is closed. */
const closesPractice = ({ name }: Resource, columns: EndOfPractice): TableReaction => ({
  when: name,
  reads: [columns.eraseAt],
  concerns: (change) => eraseAt(change.before) !== eraseAt(change.after),
  statements: ({ service, therapistId }, { after }) => [
    closePractice(service, { therapistId, eraseAt: eraseAt(after) }),
  ],
});

/** All personal values in the service are erased. */
const erasesPractice = ({ name }: Resource, columns: EndOfPractice): TableReaction => ({
  when: name,
  reads: [columns.erasedAt],
  concerns: ({ before, after }) => !isErasedPractice(before) && isErasedPractice(after),
  statements: ({ service, therapistId }) => eraseStatements({ service, therapistId, client: 'all' }),
});

/**
 * The personal values of a client are erased. The event follows all earlier events about the client, so no erased value comes
 * back.
 */
const erasesClient = ({ name }: Resource, column: string): TableReaction => ({
  when: name,
  by: personalServices,
  reads: [column],
  concerns: ({ before, after }) => before === null && after !== null,
  statements: ({ service, therapistId }, { after }) =>
    eraseStatements({ service, therapistId, client: String(after?.[column]) }),
});

export const tableReactions: readonly TableReaction[] = [...catalog.resources.values()].flatMap(reactionsTo);
