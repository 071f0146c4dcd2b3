// The messages between live processes about a topic: a line of JSON, followed by the content of a broadcast.

import type { PresenceDiff, Presences } from '../presence/presences.js';
import type { Broadcast, BroadcastContent } from '../protocol/message.js';

export type TopicMessage =
  | { readonly kind: 'broadcast'; readonly broadcast: Broadcast }
  | { readonly kind: 'diff'; readonly sequence: number; readonly diff: PresenceDiff }
  | { readonly kind: 'state'; readonly sequence: number; readonly presences: Presences }
  /** Asks the other processes for their state. */
  | { readonly kind: 'ask' };

/** A message and the process that sent it. */
export type Sent = { readonly from: string } & TopicMessage;

const NEW_LINE = 0x0a;

export function encodeSent(sent: Sent): Buffer {
  if (sent.kind !== 'broadcast') return Buffer.from(JSON.stringify(sent));
  const { from, kind, broadcast } = sent;
  const { event, content } = broadcast;
  const head = JSON.stringify({ from, kind, event, encoding: content.encoding });
  const body = content.encoding === 'binary' ? content.bytes : Buffer.from(content.json);
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

type BroadcastHead = Pick<Sent, 'from'> & Pick<Broadcast, 'event'> & Pick<BroadcastContent, 'encoding'>;

export function decodeSent(data: Uint8Array): Sent {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const end = bytes.indexOf(NEW_LINE);
  if (end < 0) return JSON.parse(bytes.toString()) as Sent;
  const { from, event, encoding } = JSON.parse(bytes.toString('utf8', 0, end)) as BroadcastHead;
  const body = bytes.subarray(end + 1);
  const content =
    encoding === 'binary'
      ? ({ encoding, bytes: Buffer.from(body) } as const)
      : ({ encoding, json: body.toString() } as const);
  return { from, kind: 'broadcast', broadcast: { event, content } };
}
