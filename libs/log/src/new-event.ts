import type { RecordedEvent, StoredValues } from '@practice/core';

/** The event types that begin and end the streams of an aggregate. */
export interface Lifecycle {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** An event ready to be appended. The append gives it its position. */
export interface NewEvent extends Omit<RecordedEvent, 'therapistId' | 'position' | 'epoch'> {
  readonly lifecycle: Lifecycle;
  /** The earlier values of the columns that the event sets; all columns for a deletion, null for a creation. */
  readonly previous?: object | null;
  /** The lines of the event for a ledger; given for an aggregate whose records are booked. */
  readonly ledger?: Booked;
  /** Given for an aggregate with personal columns. */
  readonly personal?: Personal | undefined;
}

/** The entries of an event in a ledger. */
export interface Booked {
  /** The table of the service. */
  readonly into: string;
  readonly resource: string;
  readonly lines: readonly object[];
}

/** The personal values of an event. */
export interface Personal {
  readonly columns: readonly string[];
  /** The clients whose values they are; null for values without a client. */
  readonly clients: Readonly<Record<StoredValues, string | null>>;
  /** Whether the event sets the column with the client, and so says that the record is about this client. */
  readonly isNaming?: boolean;
}
