import type { Event, EventMetadata, StoredValues } from '@practice/core';

/** The event types that begin and end the streams of an aggregate. */
export interface Lifecycle {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** An event ready to be appended. */
export interface NewEvent extends Event {
  readonly aggregate: string;
  readonly streamId: string;
  /** The stream's version with this event. */
  readonly version: number;
  /** The version of its type, which gives the shape of `data`. */
  readonly schemaVersion: number;
  readonly lifecycle: Lifecycle;
  readonly metadata: EventMetadata;
  /** The earlier values of the columns that the event sets; all columns for a deletion, null for a creation. */
  readonly previous?: object | null;
  readonly recordedAt: string;
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
