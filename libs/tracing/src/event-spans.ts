import { inSpan, isTracing, recordSpan } from './tracing.js';

/** The part of an event that its spans need. */
interface TracedEvent {
  readonly type: string;
  /** `traceparent` is the span of the write, or that of the caller. Events of the system have none. */
  readonly metadata: { readonly traceparent?: string };
}

const kinds = { publish: 'producer', apply: 'consumer' } as const;

/** Sends a span for each of these events, in the trace of the request that caused the event. @param times milliseconds since the epoch */
export function recordEvents(
  action: keyof typeof kinds,
  events: readonly TracedEvent[],
  times: { readonly start: number; readonly end: number },
): void {
  if (!isTracing()) return;
  for (const { type, metadata } of events)
    if (metadata.traceparent !== undefined)
      recordSpan(`${action} ${type}`, { kind: kinds[action], parent: metadata.traceparent }, times);
}

/** Applies an event as a span in the trace of the request that caused it. */
export function applyInSpan({ type, metadata }: TracedEvent, apply: () => Promise<void>): Promise<void> {
  const { traceparent: parent } = metadata;
  if (!isTracing() || parent === undefined) return apply();
  return inSpan(`apply ${type}`, { kind: 'consumer', parent }, async (span) => {
    try {
      await apply();
      span?.end({});
    } catch (error) {
      span?.end({}, true);
      throw error;
    }
  });
}
