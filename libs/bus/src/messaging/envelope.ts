// Reads the envelopes of received requests and replies. An error contains no part of the text, since logs must not contain it.

import type { Envelope } from '@practice/core';
import type { Reply, Stated } from './request.js';

/** Thrown when a message is not the envelope of a request, a reply or an event, or does not match its subject. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
}

/** The envelope of a request. @throws {EnvelopeError} */
export function readRequestEnvelope(text: string): Envelope<Stated> {
  const envelope = objectOf<Envelope<Stated>>(text);
  const { op, requestId, deadline } = envelope;
  const isComplete = typeof op === 'string' && typeof requestId === 'string' && typeof deadline === 'number';
  if (!isComplete) throw new EnvelopeError('the envelope of a request lacks its operation, id or deadline');
  return envelope as Envelope<Stated>;
}

/** The status and the headers in the envelope of a reply. @throws {EnvelopeError} */
export function readReplyEnvelope(text: string): Pick<Reply, 'status' | 'headers'> {
  const { status, headers } = objectOf<Reply>(text);
  if (typeof status !== 'number' || typeof headers !== 'object' || headers === null)
    throw new EnvelopeError('the envelope of a reply lacks its status or headers');
  return { status, headers };
}

function objectOf<Shape>(text: string): { [Key in keyof Shape]?: unknown } & Partial<Shape> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null)
    throw new EnvelopeError('an envelope is not a JSON object');
  return value as Partial<Shape>;
}
