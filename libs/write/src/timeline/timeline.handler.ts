import { catalog, timeline, timelineParts, timelineTitle, type TimelinePart } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { AccessLog } from '@practice/read';
import { accessOf, historyName, type ArgumentsOf, type Resource, type ResultOf } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { mayRead, readerIn, rowsOf } from '../functions/dialect-reads.js';
import { Handles, type FunctionCall, type FunctionHandler } from '../functions/function-handler.js';

type Timeline = typeof timeline;
type Entries = ResultOf<Timeline>;
type Asked = ArgumentsOf<Timeline>;

/**
 * The service's part of a timeline: the histories of the client's records. Each history is read by a read of the dialect, so
 * roles, row-level security and the access log apply as they do to callers' reads.
 */
@Handles(timeline)
export class TimelineHandler implements FunctionHandler<Timeline> {
  constructor(
    readonly database: TenantDatabase,
    readonly accesses: AccessLog,
  ) {}

  async call(asked: Asked, call: FunctionCall): Promise<Entries> {
    const caller = readerIn(this.database.service, call.caller);
    const parts = timelineParts.filter(
      ({ resource }) => resource.service === this.database.service && mayRead(resource, caller, false),
    );
    return (
      await Promise.all(parts.map(async (part) => this.entries(part, asked, { ...call, caller })))
    ).flat();
  }

  /** The newest entries, complete down to the last instant. */
  private async entries(part: TimelinePart, asked: Asked, call: FunctionCall): Promise<Entries> {
    const resource = catalog.readable.get(historyName(part.resource.name)) as Resource;
    const details = detailsOf(part, call.caller);
    const read = (page: Page): Promise<readonly EventRow[]> =>
      rowsOf(this, { resource, query: queryOf(part, { asked, details, page }) }, call);
    const { before } = asked;
    const limit = Number(asked.limit);
    const newest = await read({ ...(before !== null && { at: `lt.${before}` }), limit });
    const last = newest.length < limit ? undefined : newest.at(-1)?.at;
    const rows =
      last === undefined
        ? newest
        : [...newest.filter(({ at }) => at !== last), ...(await read({ at: `eq.${last}` }))];
    return rows.map((row) => entryOf(part, details, row));
  }
}

/** A condition on the instant, and the number of rows; as many as a read returns without one. */
interface Page {
  readonly at?: string;
  readonly limit?: number;
}

type Values = Readonly<Record<string, unknown>>;

interface EventRow extends Values {
  readonly id: string;
  readonly event: string;
  readonly at: string;
  readonly change_id: string | null;
  readonly position: number;
  readonly record: Values & { readonly later?: readonly (Values & { readonly position: number })[] };
}

/** The columns of titles that the caller sees. */
function detailsOf({ resource, details = {} }: TimelinePart, { practiceRole }: Identity): readonly string[] {
  const { hidden } = accessOf(resource, practiceRole);
  return [...new Set(Object.values(details).flat())].filter((column) => !hidden.has(column));
}

interface Wanted {
  readonly asked: Asked;
  readonly details: readonly string[];
  readonly page: Page;
}

/** The read of the events of the client's records. A detail that an event did not set has the value from before the next event that set it. */
function queryOf(part: TimelinePart, { asked, details, page }: Wanted): string {
  const { resource, client, omitted = [], omittedOfPolicies = [] } = part;
  const valuesIn = (side: string): string[] => details.map((column) => `${column}:${side}->>${column}`);
  const later = `later:${historyName(resource.name)}(${['position', ...valuesIn('before')].join()})`;
  const setting = eventsThatSet(resource, details);
  // As text, money keeps its two decimals.
  const shown = details.map((column) =>
    resource.columns[column]?.kind.name === 'decimal' ? `${column}::text` : column,
  );
  const record = [client, ...shown, ...(setting.length === 0 ? [] : [later])];
  const query = new URLSearchParams({
    select: `id,event,at,change_id,position,${[...valuesIn('after'), `record:${resource.name}!inner(${record.join()})`].join()}`,
    [`record.${client}`]: `eq.${asked.client_id}`,
    ...(omitted.length > 0 && { event: `not.in.(${omitted.join()})` }),
    order: 'at.desc,position.desc',
    ...(page.at !== undefined && { at: page.at }),
    ...(page.limit !== undefined && { limit: String(page.limit) }),
    ...(omittedOfPolicies.length > 0 && {
      or: `(event.not.in.(${omittedOfPolicies.join()}),caused_by.is.null)`,
    }),
  });
  if (setting.length > 0) {
    query.set('record.later.event', `in.(${setting.join()})`);
    query.set('record.later.order', 'position');
  }
  return query.toString();
}

/** The events that change one of the columns. */
const eventsThatSet = ({ events }: Resource, columns: readonly string[]): readonly string[] =>
  Object.entries(events).flatMap(([event, sets]) =>
    Array.isArray(sets) && columns.some((column) => sets.includes(column)) ? [event] : [],
  );

function entryOf(
  { kind, resource, details: byEvent = {} }: TimelinePart,
  seen: readonly string[],
  row: EventRow,
): Entries[number] {
  const { id, event, at, change_id, position, record } = row;
  const wanted = (byEvent[event] ?? byEvent['*'] ?? []).filter((column) => seen.includes(column));
  const next = (record.later ?? []).filter((one) => one.position > position);
  const values = wanted
    .map((column) => row[column] ?? next.find((one) => one[column] != null)?.[column] ?? record[column])
    .filter((value) => value != null);
  return {
    at,
    kind,
    title: timelineTitle(event, values.map(String)),
    resource: resource.name,
    id,
    change_id,
  };
}
