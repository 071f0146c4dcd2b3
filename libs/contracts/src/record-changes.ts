/** The operation that asks the owner of records for the records before and after changes. */
export const RECORD_CHANGES = 'record-changes';

/** The maximum number of changes in one question. */
export const MOST_ASKED_CHANGES = 100;

/** The maximum size of an answer in bytes, so that reading it does not block the process noticeably. A single change may be larger. */
export const TOLD_CHANGES_BYTES = 256 * 1024;

/** A change of a record, named by any of its events. */
export interface AskedChange {
  /** The name of the resource. */
  readonly resource: string;
  readonly id: string;
  /** The version of the record's stream at the event. */
  readonly version: number;
}

/** Whether two changes were named by the same event. */
export const isSameChange = (one: AskedChange, other: AskedChange): boolean =>
  one.resource === other.resource && one.id === other.id && one.version === other.version;

/** A record with the values that a read shows, but without confidential columns. */
export type ShownRecord = Readonly<Record<string, unknown>>;

/** A change of a record, with the effect of all of its events. */
export interface ToldChange extends AskedChange {
  /** The time at which the change was recorded, as a read shows it. */
  readonly at: string;
  /** Null if there was no record before the change. */
  readonly before: ShownRecord | null;
  /** Null if there is no record after the change. */
  readonly after: ShownRecord | null;
}
