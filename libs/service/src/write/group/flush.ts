// The statements that store what a group has decided: one of each kind, whatever the number of writes and practices.

import { appendAll } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Resource, Row } from '@practice/resource';
import { deleteRows, upsertRows } from '../../storage/tables.js';
import type { Stored } from './attempt.js';
import type { PracticeView } from './practice-view.js';
import type { StagedRecord } from './staged-records.js';

export interface Flush {
  readonly statements: readonly Statement[];
  /** The results of a write's own statements. @param results one for each statement */
  resultsOf(step: Stored<unknown>, results: readonly TextRow[][]): TextRow[][];
}

/** Records that are removed go first: a record that is stored may take a key that one of them had. */
export function flushOf(
  service: string,
  views: readonly PracticeView[],
  steps: readonly Stored<unknown>[],
): Flush {
  const changed = views.filter(({ staged }) => staged.events.length > 0);
  const before = steps.flatMap((step) => step.before ?? []);
  const after = steps.flatMap((step) => step.after ?? []);
  const statements = [
    ...(changed.length === 0 ? [] : [appendAll(service, changed.map(appendOf))]),
    ...before,
    ...removals(changed),
    ...replacements(changed),
    ...after,
  ];
  return {
    statements,
    resultsOf: (step, results) =>
      [...(step.before ?? []), ...(step.after ?? [])].map((one) => results[statements.indexOf(one)] ?? []),
  };
}

const appendOf = ({ log: { therapistId }, position, staged: { events } }: PracticeView) => ({
  therapistId,
  position,
  events,
});

type Placed = StagedRecord & { readonly therapistId: string };

function removals(views: readonly PracticeView[]): Statement[] {
  const gone = byResource(views, ({ state }) => state === null);
  return [...gone].map(([resource, records]) => deleteRows(resource, records));
}

function replacements(views: readonly PracticeView[]): Statement[] {
  const kept = byResource(views, ({ state }) => state !== null);
  return [...kept].map(([resource, records]) =>
    upsertRows(
      resource,
      records.map(({ therapistId, state, version }) => ({ therapistId, row: state as Row, version })),
    ),
  );
}

function byResource(
  views: readonly PracticeView[],
  isMeant: (record: StagedRecord) => boolean,
): Map<Resource, Placed[]> {
  const groups = new Map<Resource, Placed[]>();
  for (const { log, staged } of views) {
    for (const record of staged.all) {
      if (!isMeant(record)) continue;
      const group = groups.get(record.resource) ?? [];
      group.push({ ...record, therapistId: log.therapistId });
      groups.set(record.resource, group);
    }
  }
  return groups;
}
