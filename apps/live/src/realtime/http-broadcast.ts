// Broadcasts over HTTP, as supabase-js sends them: `POST /realtime/v1/api/broadcast` with a list of messages, and
// `POST /realtime/v1/api/broadcast/<topic>/events/<event>` with the content of one message.

import { type Problem, problemFor, reject, type Steps } from '@practice/core';
import { limits } from './limits.js';
import { isObject, membersOf, valueIn } from './protocol/message.js';
import type { Broadcast, BroadcastContent } from './protocol/message.js';

/** A broadcast to a topic. */
export interface Addressed {
  readonly topic: string;
  readonly broadcast: Broadcast;
}

const PATH = '/realtime/v1/api/broadcast';
const ONE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;

const malformed = (message: string): Problem => problemFor('PM400', { message });

/** Whether a path takes broadcasts. */
export const isBroadcastPath = (path: string): boolean => path === PATH || ONE.test(path);

/**
 * Reads the broadcasts of a request.
 * @throws {Rejection} PM400
 */
export function* readBroadcasts(path: string, contentType: string, body: Buffer): Steps<Addressed[]> {
  const match = ONE.exec(path);
  if (match === null) return readMessages(yield* parsed(body));
  const [, topic, event] = match.map(decoded);
  const isBinary = contentType.startsWith('application/octet-stream');
  const content: BroadcastContent = isBinary
    ? { encoding: 'binary', bytes: body }
    : { encoding: 'json', json: JSON.stringify(yield* parsed(body)) };
  return [checked({ topic, event, content })];
}

function readMessages(body: unknown): Addressed[] {
  const { messages } = membersOf(body);
  if (!Array.isArray(messages)) return reject(malformed('messages must be a list'));
  if (messages.length > limits.broadcastMessages)
    reject(malformed(`messages must be at most ${limits.broadcastMessages}`));
  return messages.map((message) => {
    const { topic, event, payload } = membersOf(message);
    if (!isObject(payload)) reject(malformed('payload must be an object'));
    return checked({ topic, event, content: { encoding: 'json', json: JSON.stringify(payload) } });
  });
}

type Unchecked = Pick<Broadcast, 'content'> & Readonly<Record<'topic' | 'event', unknown>>;

function checked({ topic, event, content }: Unchecked): Addressed {
  if (typeof topic !== 'string' || topic === '' || topic.length > limits.channelName)
    return reject(malformed(`topic must be a text of 1 to ${limits.channelName} characters`));
  if (typeof event !== 'string' || event === '') return reject(malformed('event must be a text'));
  return { topic, broadcast: { event, content } };
}

function* parsed(body: Buffer): Steps<unknown> {
  try {
    return yield* valueIn(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return reject(malformed(error.message));
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return reject(malformed('The path is not well encoded'));
  }
}
