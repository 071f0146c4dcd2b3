import type { Identity } from '@practice/core';
import { toWire } from '@practice/query';
import type { CommandEnvelope, QueryEnvelope } from '@practice/service';
import { traceparentOf } from '../http/request-id.js';
import type { HttpRequest } from '../http/request.js';
import { isRead } from '../parse/parse.js';
import type { Call } from '../parse/parse.js';

/** The message to the owner of a resource: a query or a command, and who sends it. */
export function envelopeOf(received: HttpRequest, call: Call): QueryEnvelope | CommandEnvelope {
  const { headers, id } = received;
  const identity = received.identity as Identity;
  const traceparent = traceparentOf(headers['traceparent']);
  const message = {
    ...identity,
    requestId: id,
    ...(traceparent !== undefined && { traceparent }),
  };
  // JSON leaves out members that are undefined.
  return isRead(call)
    ? { op: 'query', ...message, ifNoneMatch: headers['if-none-match'] }
    : {
        op: 'command',
        ...message,
        request: toWire(call.request),
        ifMatch: headers['if-match'],
        ...(call.repeatable !== undefined && { repeatable: call.repeatable }),
      };
}
