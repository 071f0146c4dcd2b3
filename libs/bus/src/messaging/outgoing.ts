// Envelopes as they are sent: a statement replaces the identity, and fields that only the sender needs are left out.

import type { Envelope, OnBehalf, OutgoingEnvelope } from '@practice/core';
import type { Stated } from './request.js';
import type { StateIdentity } from './statement.js';

/**
 * The envelope to send. It uses `Object.assign` because in Node 20 the objects made by a spread survive the next garbage collection.
 * @throws {Error} when a service sends a request on behalf of a caller
 */
export function outgoing(
  { stateIdentity }: { readonly stateIdentity?: StateIdentity },
  service: string,
  { envelope, deadline }: { envelope: OutgoingEnvelope<Partial<OnBehalf>>; deadline: number },
): Envelope<Stated> {
  const { identity } = envelope;
  const sent = Object.assign({}, envelope, { deadline, identity: undefined, partOf: undefined });
  if (!identity) return sent;
  if (stateIdentity === undefined) throw new Error('only a gateway sends requests on behalf of callers');
  return Object.assign(sent, { statement: stateIdentity(identity, service) });
}
