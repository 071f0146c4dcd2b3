import { isServerError } from '@practice/core';
import { childSpan } from '@practice/tracing';
import type { Requester } from '@practice/bus';

/** The same client, with a span for each request. The service's span is its child. */
export function tracedRequester(requester: Requester): Requester {
  return {
    ...requester,
    request: async (service, envelope, body) => {
      const span = childSpan(`ask ${service}`, { kind: 'client', parent: envelope.traceparent });
      if (span === undefined) return requester.request(service, envelope, body);
      const attributes = { 'messaging.system': 'nats', 'rpc.method': envelope.op };
      try {
        const { traceparent } = span;
        const reply = await requester.request(service, Object.assign({}, envelope, { traceparent }), body);
        span.end({ ...attributes, status: reply.status }, isServerError(reply.status));
        return reply;
      } catch (error) {
        span.end(attributes, true);
        throw error;
      }
    },
  };
}
