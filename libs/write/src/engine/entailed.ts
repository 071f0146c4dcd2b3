// Commands that other commands entail: each is decided with the rules of its record, in the same change. They are
// decided before the next command of the same write, so each sees everything that happened before it.

import { catalog } from '@practice/contracts';
import { reject, forRecord, forRecordInSteps } from '@practice/core';
import type { Identity, Steps } from '@practice/core';
import { limits, tooManyRows } from '@practice/query';
import type { Entailed, Resource } from '@practice/resource';
import type { MirrorAnswer } from '@practice/mirror';
import type { Decision } from './decision.js';
import type { PracticeView } from './group/practice-view.js';
import { recordsIn } from './group/questions.js';
import type { Intent } from './intent.js';
import { checkRights } from './rights.js';

interface Asked {
  readonly resource: Resource;
  readonly intents: readonly Intent[];
  readonly by: Identity;
}

/** As for `Decision.decide`; undefined if something must be loaded first. */
type Unsure = readonly MirrorAnswer[] | undefined;

/**
 * Checks the number of records before anything is looked up for them: each of them is a write of its own, and each may entail many.
 * @throws {Rejection} PM413
 */
export function* checkEntailing(
  decision: Decision,
  resource: Resource,
  intents: readonly Intent[],
): Steps<void> {
  if (!decision.mayEntail(resource)) return;
  if (intents.length > limits.entailingRows) reject(tooManyRows(limits.entailingRows));
  let rows = intents.length;
  for (const [index, intent] of intents.entries()) {
    forRecord(index, intents.length, () => {
      rows += decision.mostEntailed(resource, intent);
      if (rows > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
    });
    yield;
  }
}

/**
 * Decides intents to records of one resource, and what they entail.
 * @throws {Rejection} when a rule forbids one of them, or the caller may not do what it entails
 */
export function* decideWithEntailed(
  view: PracticeView,
  decision: Decision,
  { resource, intents, by }: Asked,
): Steps<Unsure> {
  if (!decision.mayEntail(resource)) return yield* decision.decide(resource, intents);
  for (const [index, intent] of intents.entries()) {
    const steps = decideOne(view, decision, { resource, intent, by });
    const unsure = yield* forRecordInSteps(index, intents.length, steps);
    if (unsure === undefined || unsure.length > 0) return unsure;
  }
  return [];
}

function* decideOne(
  view: PracticeView,
  decision: Decision,
  { resource, intent, by }: { readonly resource: Resource; readonly intent: Intent; readonly by: Identity },
): Steps<Unsure> {
  const entail = (): Steps<Unsure> =>
    decideEntailed(view, decision, { by, entailed: decision.entailed(resource, intent) });
  const steps = [(): Steps<Unsure> => decision.decide(resource, [intent]), entail];
  if (intent.command.kind === 'delete') steps.reverse();
  for (const step of steps) {
    const unsure = yield* step();
    if (unsure === undefined || unsure.length > 0) return unsure;
  }
  return [];
}

/**
 * Decides commands one after another, on the records as they are decided so far.
 * @returns as `decideWithEntailed`
 * @throws {Rejection} PM413 for more commands than a write may have records, 42501, and what their rules forbid
 */
export function* decideEntailed(
  view: PracticeView,
  decision: Decision,
  { by, entailed }: { readonly by: Identity; readonly entailed: readonly Entailed[] },
): Steps<Unsure> {
  for (const name of new Set(entailed.map(({ resource }) => resource))) {
    const resource = catalog.resources.get(name) as Resource;
    checkRights(resource, by, 'write');
    const intents = intentsOf(view, decision, {
      resource,
      sent: entailed.filter((one) => one.resource === name),
    });
    const unknown = intents && (yield* decision.lookUp(resource, intents));
    if (intents === undefined || unknown === undefined || unknown.length > 0) return unknown;
    if (decision.decided.size + intents.length > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
    // One by one: a refusal is about the record that the caller asked for.
    for (const intent of intents) {
      const unsure = yield* decideWithEntailed(view, decision, { resource, intents: [intent], by });
      if (unsure === undefined || unsure.length > 0) return unsure;
    }
  }
  return [];
}

/** The records as they are decided so far; undefined if they must be loaded first. */
function intentsOf(
  view: PracticeView,
  decision: Decision,
  { resource, sent }: { readonly resource: Resource; readonly sent: readonly Entailed[] },
): readonly Intent[] | undefined {
  const ids = sent.filter(({ command }) => command.kind !== 'create').map(({ id }) => id);
  const lookup = { resource: resource.name, column: 'id', values: ids };
  const stored = recordsIn(view, resource, lookup);
  if (stored === undefined) return undefined;
  const records = new Map(
    decision.decided.overlay(lookup, stored).map((record) => [String(record.row['id']), record]),
  );
  return sent.flatMap(({ id, command }): Intent[] => {
    if (command.kind === 'create') return [{ id, command, state: null, version: 0 }];
    const record = records.get(id);
    return record === undefined ? [] : [{ id, command, state: record.row, version: record.version }];
  });
}
