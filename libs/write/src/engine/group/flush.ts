// The statements that store what a group has decided: one of each kind, whatever the number of writes and practices.

import { grouped, processTime, type Payer, type Steps } from '@practice/core';
import { appendAll, type PracticeKeys, type Statement, type TextRow } from '@practice/log';
import type { Resource, Row } from '@practice/resource';
import { appendEntries, deleteRows, upsertRows, versionBytes } from '@practice/storage';
import type { BookedEvent, TenantDatabase, Transaction } from '@practice/storage';
import type { Stored } from './attempt.js';
import type { PracticeView } from './practice-view.js';
import type { StagedRecord } from './staged-records.js';

export interface Flush {
  readonly statements: readonly Statement[];
  /** The results of a write's own statements. @param results one for each statement */
  resultsOf(step: Stored<unknown>, results: readonly TextRow[][]): TextRow[][];
}

/** The decisions of a group. */
export interface Decided {
  readonly views: readonly PracticeView[];
  readonly steps: readonly Stored<unknown>[];
}

/** Makes the statements, with the keys that seal personal values. @param decided.payer the payer of the processor time */
export async function storing(
  transaction: Transaction,
  { service, personalKeys }: Pick<TenantDatabase, 'service' | 'personalKeys'>,
  { payer, ...decided }: Decided & { readonly payer: Payer },
): Promise<Flush> {
  const keys = await personalKeys.forEvents(
    decided.views.map(({ log: { therapistId }, change, locked, staged }) => ({
      therapistId,
      events: staged.events,
      erasures: change === undefined ? locked.head.erasures : undefined,
    })),
    (statement) => transaction.load([statement]),
  );
  return processTime.run(payer, flushOf(service, decided, keys));
}

/** Makes the statements. Removals come before stored records, because a stored record may take the key of a removed one. */
function* flushOf(service: string, { views, steps }: Decided, keys: PracticeKeys): Steps<Flush> {
  const changed = views.filter(({ staged }) => staged.events.length > 0);
  const before = steps.flatMap((step) => step.before ?? []);
  const after = steps.flatMap((step) => step.after ?? []);
  const appends = changed.map((view) => appendOf(view, keys));
  const statements = [
    ...keys.statements,
    ...(appends.length === 0 ? [] : [yield* appendAll(service, appends)]),
    ...(yield* appendEntries(service, changed.flatMap(bookedEvents))),
    ...before,
    ...removals(changed),
    ...(yield* replacements(changed)),
    ...after,
  ];
  return {
    statements,
    resultsOf: (step, results) =>
      [...(step.before ?? []), ...(step.after ?? [])].map((one) => results[statements.indexOf(one)] ?? []),
  };
}

const appendOf = ({ log: { therapistId }, locked, staged }: PracticeView, keys: PracticeKeys) => ({
  therapistId,
  position: locked.head.position,
  events: staged.events,
  otherBytes: staged.all.reduce((sum, record) => sum + versionBytes(record), 0),
  keyOf: (clientId: string) => keys.of({ therapistId, clientId }),
});

/** The events of a practice that are booked in a ledger. */
const bookedEvents = ({ log: { therapistId }, locked, staged }: PracticeView): BookedEvent[] =>
  staged.events.flatMap((event, index) =>
    event.ledger === undefined
      ? []
      : [{ therapistId, position: locked.head.position + index + 1, ...event, ledger: event.ledger }],
  );

type Placed = StagedRecord & { readonly therapistId: string; readonly at: string };

function removals(views: readonly PracticeView[]): Statement[] {
  const gone = byResource(views, ({ state }) => state === null);
  return [...gone].map(([resource, records]) => deleteRows(resource, records));
}

function* replacements(views: readonly PracticeView[]): Steps<Statement[]> {
  const statements: Statement[] = [];
  for (const [resource, records] of byResource(views, ({ state }) => state !== null)) {
    const rows = records.map(({ therapistId, state, version }) => ({
      therapistId,
      row: state as Row,
      version,
    }));
    statements.push(yield* upsertRows(resource, rows));
  }
  return statements;
}

function byResource(
  views: readonly PracticeView[],
  isMeant: (record: StagedRecord) => boolean,
): Map<Resource, Placed[]> {
  const placed = views.flatMap(({ log: { therapistId }, now: at, staged }) =>
    staged.all.filter(isMeant).map((record) => ({ therapistId, at, ...record })),
  );
  return grouped(placed.map((record) => [record.resource, record]));
}
