// Dependent commands of other commands: each is decided with the rules of its record, in the same change. They are decided before
// the next command of the same write, so each command sees the results of all earlier commands.

import { catalog } from '@practice/contracts';
import { reject, type Identity, type Steps, forRecord, forRecordInSteps } from '@practice/core';
import { limits, tooManyRows } from '@practice/query';
import { isDerived, type DependentCommand, type Resource } from '@practice/resource';
import type { MirrorAnswer } from '@practice/mirror';
import type { Decision } from './decision.js';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { firstChange } from './first-change.js';
import { records, versions } from './group/questions.js';
import type { Intent } from './intent.js';
import { checkRights } from './rights.js';

/** The caller, or the name of the policy, that sends commands. */
interface Author {
  readonly by?: Identity;
  readonly policy?: string;
}

interface Asked extends Author {
  readonly resource: Resource;
  readonly intents: readonly Intent[];
}

/** Records whose owners must be asked first, as for `Decision.decide`. */
type Unsure = readonly MirrorAnswer[];

/**
 * Checks the number of records before anything is looked up for them: each of them is a write of its own, and each may have many dependent commands.
 * @throws {Rejection} PM413
 */
export function* checkDependents(
  decision: Decision,
  resource: Resource,
  intents: readonly Intent[],
): Steps<void> {
  if (!decision.mayHaveDependents(resource)) return;
  const most = Math.max(
    limits.rowsWithDependents,
    Math.floor(limits.writtenRows / (1 + (resource.mostDependents ?? 0))),
  );
  if (intents.length > most) reject(tooManyRows(most));
  let rows = intents.length;
  for (const [index, intent] of intents.entries()) {
    forRecord(index, intents.length, () => {
      rows += decision.mostDependents(resource, intent);
      if (rows > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
    });
    yield;
  }
}

/**
 * Decides intents to records of one resource, and their dependent commands.
 * @throws {Rejection} when a rule forbids one of them, or the caller may not send its dependent commands
 */
export function* decideWithDependents(
  view: PracticeView,
  decision: Decision,
  { resource, intents, ...author }: Asked,
): Resumable<Unsure> {
  if (!decision.mayHaveDependents(resource)) return yield* decision.decide(resource, intents, author.policy);
  for (const [index, intent] of intents.entries()) {
    const steps = decideOne(view, decision, { resource, intent, ...author });
    const unsure = yield* forRecordInSteps(index, intents.length, steps);
    if (unsure.length > 0) return unsure;
  }
  return [];
}

function* decideOne(
  view: PracticeView,
  decision: Decision,
  { resource, intent, ...author }: Author & { readonly resource: Resource; readonly intent: Intent },
): Resumable<Unsure> {
  function* itsDependents(): Resumable<Unsure> {
    yield* view.turn();
    const dependents = decision.dependents(resource, intent);
    return yield* decideDependents(view, decision, { ...author, dependents });
  }
  const steps = [(): Resumable<Unsure> => decision.decide(resource, [intent], author.policy), itsDependents];
  if (intent.command.kind === 'delete') steps.reverse();
  for (const step of steps) {
    const unsure = yield* step();
    if (unsure.length > 0) return unsure;
  }
  return [];
}

/**
 * Decides commands one after another, on the records as they are decided so far.
 * @returns as `decideWithDependents`
 * @throws {Rejection} PM413 for more commands than a write may have records, 42501, or a refusal of their rules
 */
export function* decideDependents(
  view: PracticeView,
  decision: Decision,
  { by, policy, dependents }: Author & { readonly dependents: readonly DependentCommand[] },
): Resumable<Unsure> {
  for (const name of new Set(dependents.map(({ resource }) => resource))) {
    const resource = catalog.resources.get(name) as Resource;
    const sent = dependents.filter((one) => one.resource === name);
    if (by !== undefined && !sent.every(({ command }) => isDerived(resource, command)))
      checkRights(resource, by, 'write');
    const intents = yield* intentsOf(view, decision, { resource, sent });
    const unknown = yield* decision.lookUp(resource, intents);
    if (unknown.length > 0) return unknown;
    if (decision.decided.size + intents.length > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
    // One by one: a refusal is about the record that the caller asked for.
    for (const intent of intents) {
      const asked = { resource, intents: [intent], ...(by && { by }), ...(policy && { policy }) };
      const unsure = yield* decideWithDependents(view, decision, asked);
      if (unsure.length > 0) return unsure;
    }
  }
  return [];
}

/** The intents of these commands, on the records as they are decided so far. */
function* intentsOf(
  view: PracticeView,
  decision: Decision,
  { resource, sent }: { readonly resource: Resource; readonly sent: readonly DependentCommand[] },
): Resumable<readonly Intent[]> {
  const ids = sent.filter(({ command }) => command.kind !== 'create').map(({ id }) => id);
  const lookup = { resource: resource.name, column: 'id', values: ids };
  const stored = yield* records(view, resource, lookup);
  const byId = new Map(
    decision.decided.overlay(lookup, stored).map((record) => [String(record.row['id']), record]),
  );
  const created = sent.filter(({ command }) => command.kind === 'create').map(({ id }) => id);
  const last = yield* versions(view, resource, created);
  return sent.flatMap(({ id, command }): Intent[] => {
    if (command.kind === 'create') return [{ id, command, state: null, version: last.get(id) ?? 0 }];
    const record = byId.get(id);
    if (record !== undefined) return [{ id, command, state: record.row, version: record.version }];
    return resource.fromStart === true && command.kind === 'change'
      ? [firstChange(view, resource, { id, command, state: null, version: 0 })]
      : [];
  });
}
