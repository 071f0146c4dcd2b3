// MirrorSubscriber many events at once, of many practices: one statement tells what the mirror has of their records, another moves it
// on. That each moves from the version before it says, without a lock, that nothing came between.

import type { PublishedEvent } from '@practice/events';
import type { Resource, Row } from '@practice/resource';
import type { CrossTenantConnection } from '../storage/cross-tenant-connection.js';
import type { AnyPolicy, ProjectionParts } from './projection-parts.js';
import { moveMirrorRows, readMirrorRecords, selectMirrorRecords } from './mirror-records.js';
import type { MirrorMove, MirrorRecord } from './mirror-records.js';
import { mirrored } from './mirror-table.js';
import { resourceOf } from './resource-of.js';

/** What is known of the records that a batch is about, as its events are gone through. */
type Known = Map<string, MirrorMove>;

/**
 * Takes in those events that concern no policy, as most do not.
 * @param events those of a practice in their order
 * @returns for each whether its effect is committed. Where one takes more than this (a policy reacts, its predecessor is missing,
 *   it cannot be read), it and what the practice has behind it are left.
 */
export async function applyBatch(
  service: string,
  { parts, crossTenant }: { parts: ProjectionParts; crossTenant: CrossTenantConnection },
  events: readonly PublishedEvent[],
): Promise<boolean[]> {
  const about = events.map((event) => recordOf(parts, event));
  const records = new Map(about.flatMap((one) => (one === null ? [] : [[keyOf(one.record), one.record]])));
  const known = await load(service, crossTenant, [...records.values()]);
  const left = new Set<string>();
  const taken = events.map((event, index) => {
    const one = about[index] ?? null;
    if (one === null) return true;
    if (!left.has(event.therapistId) && take(parts, known, { event, ...one })) return true;
    left.add(event.therapistId);
    return false;
  });
  const moves = [...known.values()].filter(({ from, version }) => version > from);
  const moved = moves.length === 0 ? [] : await crossTenant.run(moveMirrorRows(service, moves));
  const done = new Set(moved.map((row) => row.join()));
  // Whoever moved one of these meanwhile has changed what was decided from: those events are looked at again.
  const missed = new Set(moves.map(keyOf).filter((key) => !done.has(key)));
  return taken.map((isTaken, index) => {
    const one = about[index] ?? null;
    return isTaken && (one === null || !missed.has(keyOf(one.record)));
  });
}

interface Subject {
  readonly resource: Resource;
  readonly record: MirrorRecord;
}

/** What an event is about; null when none of it is mirrored. */
function recordOf({ mirrored: kept }: ProjectionParts, event: PublishedEvent): Subject | null {
  const resource = resourceOf(event);
  if (resource === undefined || kept[resource.name] === undefined) return null;
  const { therapistId, streamId: id } = event;
  return { resource, record: { therapistId, resource: resource.name, id } };
}

const keyOf = ({ therapistId, resource, id }: MirrorRecord): string => `${therapistId},${resource},${id}`;

async function load(
  service: string,
  crossTenant: CrossTenantConnection,
  records: readonly MirrorRecord[],
): Promise<Known> {
  const known: Known = new Map(
    records.map((record) => [keyOf(record), Object.assign({ from: 0, version: 0, row: null }, record)]),
  );
  if (records.length === 0) return known;
  const rows = await crossTenant.run(selectMirrorRecords(service, records));
  for (const move of readMirrorRecords(rows)) known.set(keyOf(move), move);
  return known;
}

/** @returns false when the event takes more than moving the mirror on */
function take(
  { mirrored: columns, policies }: ProjectionParts,
  known: Known,
  { event, resource, record }: Subject & { event: PublishedEvent },
): boolean {
  const now = known.get(keyOf(record)) as MirrorMove;
  if (event.version <= now.version) return true;
  if (event.version > now.version + 1) return false;
  try {
    const row = mirrored(resource, { before: now.row, event, columns });
    const change = { id: record.id, before: now.row, after: row };
    if (!isQuiet(policies, resource, change)) return false;
    known.set(keyOf(record), Object.assign({ from: now.from, version: event.version, row }, record));
    return true;
  } catch {
    // By itself it fails again, is named in the log, and stops its own practice only.
    return false;
  }
}

const isQuiet = (
  policies: readonly AnyPolicy[],
  { name }: Resource,
  change: { id: string; before: Row | null; after: Row | null },
): boolean => policies.every((policy) => policy.when !== name || policy.concerns(change) === null);
