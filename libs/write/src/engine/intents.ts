// The records of a write, each as an intent.

import { type Identity, type Steps, forRecord } from '@practice/core';
import { compileTargets } from '@practice/query';
import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '@practice/query';
import { checkedValues } from '@practice/resource';
import { readRows, type Versioned } from '@practice/storage';
import { continued, creations } from './creations.js';
import { asFirstChanges } from './first-change.js';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { records } from './group/questions.js';
import { changeOf, deletionOf, type Intent } from './intent.js';
import { targetId } from './target-id.js';
import { upserts } from './upserts.js';

/** Makes the intents of a write from the state of its practice. */
export type Intents = (view: PracticeView) => Resumable<readonly Intent[]>;

/**
 * @param now the time of everything that is decided
 * @param by the caller
 * @throws {Rejection} when a record that the caller sent breaks its definition
 */
export function* intentsOf(plan: WritePlan, now: string, by: Identity): Steps<Intents> {
  switch (plan.kind) {
    case 'insert':
      return yield* create(plan, now);
    case 'upsert':
      return yield* upserts(plan, now, by);
    case 'update':
    case 'delete':
      return change(plan);
  }
}

function* create(plan: InsertPlan, now: string): Steps<Intents> {
  const created = yield* creations(plan, now);
  return (view) => continued(view, plan.resource, created);
}

function change(plan: UpdatePlan | DeletePlan): Intents {
  const { resource, therapistId } = plan;
  return function* (view) {
    const targets = yield* targetsIn(view, plan);
    // As in PostgREST, values that no record takes are not checked.
    const values =
      plan.kind === 'update' && targets.length > 0
        ? checkedValues(resource, plan.changes, therapistId)
        : null;
    const intents: Intent[] = [];
    for (const [index, target] of targets.entries()) {
      const change = (): Intent =>
        values === null ? deletionOf(target) : changeOf(resource, values, target);
      intents.push(forRecord(index, targets.length, change));
      yield;
    }
    return yield* asFirstChanges(view, resource, intents);
  };
}

/** The records that a change affects. A record that is named by its id is looked up as other records are. */
function* targetsIn(view: PracticeView, plan: UpdatePlan | DeletePlan): Resumable<readonly Versioned[]> {
  const { resource } = plan;
  const id = targetId(plan);
  if (id !== null) return yield* records(view, resource, { column: 'id', values: [id] });
  return readRows(resource, yield* view.rows(compileTargets(plan)));
}
