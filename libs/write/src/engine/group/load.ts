import { grouped, type Steps } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import { limitTime, unlimitTime } from '@practice/storage';
import type { Load, LoadKind } from './resumable.js';

/**
 * Statements that load values: one for each kind, whatever the number of practices.
 * @param limits.readMs the time limit of a statement whose text depends on a caller's request, such as the filter of a PATCH
 * @param limits.ms the time limit of every other statement; by default the limit of the role
 */
export function loadPlanOf(
  service: string,
  loads: readonly Load[],
  { readMs, ms }: { readonly readMs: number; readonly ms: number | undefined },
) {
  const parts = partsOf(loads).map((part) => ({ part, statement: statementOf(service, part) }));
  const statements = parts.map(({ statement }) => statement);
  const hasShaped = statements.some(({ isShaped }) => isShaped === true);
  return {
    statements: hasShaped
      ? [
          limitTime(Math.min(readMs, ms ?? readMs)),
          ...statements,
          ms === undefined ? unlimitTime : limitTime(ms),
        ]
      : statements,
    /** Gives each practice its values. @param results one for each statement */
    *keep(results: readonly TextRow[][]): Steps<void> {
      for (const [index, { part }] of parts.entries())
        yield* keepPart(part, results[hasShaped ? index + 1 : index] ?? []);
    },
  };
}

type Batched = Extract<Load, { kind: LoadKind<unknown> }>;
type Single = Extract<Load, { kind: null }>;
type Part = Single | { readonly kind: Batched['kind']; readonly loads: Batched[] };

function partsOf(loads: readonly Load[]): Part[] {
  const singles: Single[] = [];
  const batches = new Map<string, { kind: Batched['kind']; loads: Batched[] }>();
  for (const load of loads) {
    if (load.kind === null) {
      singles.push(load);
      continue;
    }
    const batch = batches.get(load.kind.name) ?? { kind: load.kind, loads: [] };
    batch.loads.push(load);
    batches.set(load.kind.name, batch);
  }
  return [...singles, ...batches.values()];
}

function statementOf(service: string, part: Part): Statement {
  if (part.kind === null) return part.statement;
  const keys = part.loads.map(({ view, key }) => ({ therapistId: view.log.therapistId, key }));
  return part.kind.statement(service, keys);
}

function* keepPart(part: Part, rows: TextRow[]): Steps<void> {
  if (part.kind === null) {
    part.view.keep(part.id, rows);
    return;
  }
  const found = grouped(rows.map(([index, ...row]) => [Number(index), row]));
  for (const [index, { view, id, key }] of part.loads.entries()) {
    view.keep(id, part.kind.read(found.get(index + 1) ?? [], key));
    yield;
  }
}
