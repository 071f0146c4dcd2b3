import { isServerError } from '@practice/core';
import type { Reply } from '@practice/bus';
import { inSpan } from '@practice/tracing';

/**
 * Runs a request as a span. Its envelope gets the `traceparent` of this span, so that the events of a write belong to the span.
 * @param request the envelope; its `traceparent` is at first that of the caller's span
 */
export function replyInSpan(
  request: { readonly traceparent?: string },
  { method, resource }: { readonly method: string; readonly resource: string },
  run: () => Promise<Reply>,
): Promise<Reply> {
  const attributes = { 'practice.resource': resource, 'practice.operation': method };
  const options = { kind: 'server', parent: request.traceparent, attributes } as const;
  return inSpan(`${method} ${resource}`.trim(), options, async (span) => {
    if (span !== undefined) Object.assign(request, { traceparent: span.traceparent });
    const reply = await run();
    span?.end({ status: reply.status }, isServerError(reply.status));
    return reply;
  });
}
