// Where the events of a practice come from. The log keeps all of them, so a cursor can lie anywhere in it.

import type { CloudEvent } from '@practice/bus';

/** An event, and the cursor behind it. */
export interface FoundEvent {
  readonly event: CloudEvent;
  /** The short name of its type. */
  readonly type: string;
  readonly cursor: string;
}

export interface EventPage {
  readonly events: readonly FoundEvent[];
  /** The cursor behind the page. */
  readonly cursor: string;
  /** Whether there are more events behind it. */
  readonly hasMore: boolean;
  /** False: a service could not be asked. Its events come later. */
  readonly isWhole: boolean;
}

/** The events of practices as their owners may see them, without confidential columns. */
export abstract class EventSource {
  /** The events behind a cursor, in the order of the log of each service. */
  abstract page(therapistId: string, after: string): Promise<EventPage>;
  /** The cursor behind the events that were recorded before an instant, in ISO 8601. */
  abstract at(therapistId: string, instant: string): Promise<string>;
  /** Whether a text is a cursor. */
  abstract isCursor(text: string): boolean;
}
