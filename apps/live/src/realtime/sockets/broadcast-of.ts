import { membersOf } from '../protocol/join.js';
import { jsonOf } from '../protocol/message.js';
import type { Broadcast, Message } from '../protocol/message.js';

/** The broadcast in a client's message: that of a binary frame, or `{ event, payload }` in JSON. */
export function broadcastOf({ broadcast, payload }: Message): Broadcast {
  if (broadcast !== undefined) return broadcast;
  const { event, payload: json = {} } = membersOf(payload);
  return { event: typeof event === 'string' ? event : '', content: { encoding: 'json', json: jsonOf(json) } };
}
