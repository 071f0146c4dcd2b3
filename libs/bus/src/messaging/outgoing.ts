// Envelopes as they are sent: a statement stands for the identity, and what only the sender needs is left out.

import type { Envelope, OnBehalf, OutgoingEnvelope } from '@practice/core';
import type { Stated } from './request.js';
import type { StateIdentity } from './statement.js';

/**
 * `Object.assign` because the objects that Node 20 makes of a spread survive the next garbage collection.
 * @throws {Error} for a request on behalf of a caller by a service
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
