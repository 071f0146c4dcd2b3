import { resourceOf, type undo } from '@practice/contracts';
import type { Identity, Steps } from '@practice/core';
import type { NewEvent } from '@practice/log';
import { rowJson, visibleColumns, type Resource, type ResultOf, type Row } from '@practice/resource';
import { readsAll } from '../engine/rights.js';

type Undone = ResultOf<typeof undo>[number];

/** The resource of an aggregate of a service. */
export const resourceIn =
  (service: string) =>
  (aggregate: string): Resource => {
    const resource = resourceOf({ service, aggregate });
    if (resource === undefined) throw new Error(`${service} has no aggregate ${aggregate}`);
    return resource;
  };

/**
 * The rows of the response: one for each event of an undo, with values as reads show them. Records that followed may be of a
 * resource that the caller does not read: their rows have no values.
 */
export function* undoneRecords(
  service: string,
  events: readonly NewEvent[],
  caller: Identity,
): Steps<Undone[]> {
  const find = resourceIn(service);
  const rows: Undone[] = [];
  for (const { aggregate, streamId, type, data, previous, metadata } of events) {
    const resource = find(aggregate);
    const isShown = readsAll(resource, caller);
    const isDeleted = resource.events[type] === 'deleted';
    rows.push({
      ...{ service, resource: resource.name, id: streamId, event: type },
      before: previous == null || !isShown ? null : shown(resource, previous as Row),
      after: isDeleted || !isShown ? null : shown(resource, data as Row),
      undoes: metadata.undoes ?? null,
      problem: null,
    });
    yield;
  }
  return rows;
}

/** The columns that callers see, without the column that changes with every event; as in a history. */
function shown(resource: Resource, values: Row): { readonly [name: string]: unknown } {
  const columns = visibleColumns(resource).filter(
    ([name, { serverKept }]) => name in values && serverKept !== true,
  );
  const part = { ...resource, columns: Object.fromEntries(columns) } as Resource;
  return JSON.parse(rowJson(part, values)) as { readonly [name: string]: unknown };
}
