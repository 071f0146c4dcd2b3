/** The operation by which the owner of records is asked how they were before and after changes. */
export const RECORD_CHANGES = 'record-changes';

/** The changes that one question may be about. */
export const MOST_ASKED_CHANGES = 100;

/** Bytes of an answer, which are read without a notable pause of the process. A single change may be larger. */
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

/** A record, with the values as a read shows them. Confidential columns are left out. */
export type ShownRecord = Readonly<Record<string, unknown>>;

/** A change of a record, with the effect of all of its events. */
export interface ToldChange extends AskedChange {
  /** When the change was recorded, as a read shows it. */
  readonly at: string;
  /** Null if there was no record. */
  readonly before: ShownRecord | null;
  /** Null if there is no record. */
  readonly after: ShownRecord | null;
}
