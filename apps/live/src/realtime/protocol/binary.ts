// The binary frames of protocol 2.0.0: only broadcasts have them. Each begins with its kind and the lengths of its texts, in bytes.
// https://github.com/supabase/realtime: lib/realtime_web/socket/v2_serializer.ex

import { ProtocolError } from './message.js';
import type { Broadcast, BroadcastContent, Message } from './message.js';

const KIND = { push: 3, broadcast: 4 } as const;
const ENCODING = { binary: 0, json: 1 } as const;
const MAX_TEXT_BYTES = 255;
const PUSH_HEADER = 7;

/**
 * Reads a client's broadcast: kind, the lengths of join ref, ref, topic, event and metadata, the encoding, these texts, the content.
 * @throws {ProtocolError}
 */
export function decodePush(frame: Buffer): Message {
  if (frame[0] !== KIND.push || frame.length < PUSH_HEADER)
    throw new ProtocolError('no frame of a broadcast');
  let at = PUSH_HEADER;
  const [joinRef, ref, topic, event] = [...frame.subarray(1, 6)].map((length) => {
    const text = frame.subarray(at, at + length);
    if (text.length < length) throw new ProtocolError('the frame ends within its header');
    at += length;
    return text.toString('utf8');
  }) as [string, string, string, string];
  const content = contentOf(frame[6], frame.subarray(at));
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: undefined,
    broadcast: { event, content },
  };
}

function contentOf(encoding: number | undefined, bytes: Buffer): BroadcastContent {
  if (encoding === ENCODING.binary) return { encoding: 'binary', bytes };
  if (encoding !== ENCODING.json) throw new ProtocolError('unknown encoding');
  const json = bytes.toString('utf8');
  try {
    JSON.parse(json);
    return { encoding: 'json', json };
  } catch {
    throw new ProtocolError('the content is not JSON');
  }
}

/** Writes a broadcast for a client: kind, the lengths of topic, event and metadata, the encoding, these texts, the content. */
export function encodeBroadcast(topic: string, { event, content }: Broadcast): Buffer {
  const [topicBytes, eventBytes] = [Buffer.from(topic), Buffer.from(event)];
  const isBinary = content.encoding === 'binary';
  const body = isBinary ? content.bytes : Buffer.from(content.json);
  const encoding = isBinary ? ENCODING.binary : ENCODING.json;
  const header = Buffer.from([KIND.broadcast, topicBytes.length, eventBytes.length, 0, encoding]);
  return Buffer.concat([header, topicBytes, eventBytes, body]);
}

/** Whether a text fits into a frame. */
export const fitsFrame = (text: string): boolean => Buffer.byteLength(text) <= MAX_TEXT_BYTES;
