// Folds events onto the records of the mirror. The functions are pure, and treat one event like many. Only this file has the
// version rules: an event that the mirror has is skipped, the next event is applied, and a later event waits for its predecessor.

import type { PublishedEvent } from '@practice/bus';
import { makeRow, personalOf, type Change, type Resource, type Row } from '@practice/resource';
import { mirrored, type MirrorKey, type MirrorMove } from '@practice/mirror';
import { isSince, type AnyPolicy, type ProjectionParts } from './projection-parts.js';
import { resourceOfEvent } from './resource-of-event.js';
import { isErasedPractice, practiceRecord } from './practice-record.js';
import { tableReactions, type TableReaction } from './table-reactions.js';

/** An event came before its predecessors: the stream has lost them, or never had them. */
export class MissingPredecessors extends Error {
  /** @param version the version of the record that the mirror has */
  constructor(
    event: PublishedEvent,
    readonly version: number,
  ) {
    super(`${event.type} ${event.version} came before ${version + 1}`);
    this.name = 'MissingPredecessors';
  }
}

/** The outcome of one event of a batch. */
export type Step =
  /** Its record is not mirrored. */
  | { readonly kind: 'unrelated' }
  /** The mirror has it already. */
  | { readonly kind: 'repeated'; readonly key: string }
  /** It changes the mirror, and these policies and tables react to it. */
  | {
      readonly kind: 'applied';
      readonly key: string;
      readonly change: Change;
      readonly policies: readonly AnyPolicy[];
      readonly tables: readonly TableReaction[];
    }
  /** It cannot be applied: its predecessor is missing, or it cannot be read. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** It is left to a later call: it has reactions, or an earlier event of its practice was not applied. */
  | { readonly kind: 'left' };

/** The records that a batch is about and that the mirror knows, by `recordKey`. */
export type Held = ReadonlyMap<string, MirrorMove>;

export interface FoldedBatch {
  /** One for each event. */
  readonly steps: readonly Step[];
  /** One for each record that changes. */
  readonly moves: readonly MirrorMove[];
}

/** The records that these events are about, and the records of their practices, which say whether a practice is erased. */
export function recordsOf(parts: ProjectionParts, events: readonly PublishedEvent[]): MirrorKey[] {
  const keys = events.flatMap((event) => {
    const record = subjectOf(parts, event)?.record;
    if (record === undefined) return [];
    const practice = practiceRecord(parts.mirrored, event.therapistId);
    return practice === undefined ? [record] : [record, practice];
  });
  return [...new Map(keys.map((key) => [recordKey(key), key])).values()];
}

export const recordKey = ({ therapistId, resource, id }: MirrorKey): string =>
  `${therapistId},${resource},${id}`;

/**
 * @param events the events of each practice are in their order
 * @param options.withReactions whether events with reactions are applied; otherwise they are left, with the later events of their practice
 */
export function foldBatch(
  parts: ProjectionParts,
  { held, events }: { held: Held; events: readonly PublishedEvent[] },
  { withReactions }: { withReactions: boolean },
): FoldedBatch {
  const moves = new Map<string, MirrorMove>();
  const blocked = new Set<string>();
  const rowOf = (key: string): Row | null => (moves.get(key) ?? held.get(key))?.row ?? null;
  const steps = events.map((event): Step => {
    const subject = subjectOf(parts, event);
    if (subject === null) return { kind: 'unrelated' };
    if (blocked.has(event.therapistId)) return { kind: 'left' };
    const key = recordKey(subject.record);
    const before = moves.get(key) ?? held.get(key) ?? { from: 0, version: 0, row: null, ...subject.record };
    const practice = practiceRecord(parts.mirrored, event.therapistId);
    const isErased = practice !== undefined && isErasedPractice(rowOf(recordKey(practice)));
    const { step, row } = stepOf(parts, { event, before, isErased, ...subject });
    if (step.kind === 'repeated') return step;
    const left = leftBecause(step, withReactions);
    if (left !== null) {
      blocked.add(event.therapistId);
      return left;
    }
    moves.set(key, { from: before.from, version: event.version, row, ...subject.record });
    return step;
  });
  return { steps, moves: [...moves.values()] };
}

/** The step for an event that this batch cannot apply, so that later events of its practice wait too; null if it can. */
function leftBecause(step: Step, withReactions: boolean): Step | null {
  if (step.kind === 'refused') return step;
  if (step.kind !== 'applied' || withReactions) return null;
  return step.policies.length + step.tables.length > 0 ? { kind: 'left' } : null;
}

interface Subject {
  readonly resource: Resource;
  readonly record: MirrorKey;
}

function subjectOf({ mirrored: kept }: ProjectionParts, event: PublishedEvent): Subject | null {
  const resource = resourceOfEvent(event);
  if (resource === undefined || kept[resource.name] === undefined) return null;
  const { therapistId, streamId: id } = event;
  return { resource, record: { therapistId, resource: resource.name, id } };
}

interface Applying extends Subject {
  readonly event: PublishedEvent;
  readonly before: MirrorMove;
  /** Whether its practice is erased. A late event then leaves no personal value, and no policy reacts. */
  readonly isErased: boolean;
}

function stepOf(
  { mirrored: columns, policies }: ProjectionParts,
  { resource, record, event, before, isErased }: Applying,
): { readonly step: Step; readonly row: Row | null } {
  if (event.version <= before.version)
    return { step: { kind: 'repeated', key: recordKey(record) }, row: before.row };
  try {
    if (event.version > before.version + 1) throw new MissingPredecessors(event, before.version);
    const folded = mirrored(resource, { before: before.row, event, columns });
    const row = isErased ? withoutValues(resource, folded) : folded;
    const change = { id: record.id, before: before.row, after: row };
    const reacting = policies.filter(
      (policy) =>
        !isErased &&
        policy.when === resource.name &&
        isSince(policy, event) &&
        policy.concerns(change) !== null,
    );
    const tables = tableReactions.filter(({ when, concerns }) => when === resource.name && concerns(change));
    return { step: { kind: 'applied', key: recordKey(record), change, policies: reacting, tables }, row };
  } catch (error) {
    return { step: { kind: 'refused', error }, row: before.row };
  }
}

/** A row of the mirror with null in place of personal values, as an erasure leaves it. */
function withoutValues(resource: Resource, row: Row | null): Row | null {
  const names = personalOf(resource)?.names ?? [];
  if (row === null) return null;
  return makeRow(Object.keys(row), (name) => (names.includes(name) ? null : (row[name] ?? null)));
}
