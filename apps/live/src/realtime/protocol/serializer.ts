// The two versions of the protocol: 1.0.0 has JSON objects, 2.0.0 JSON arrays and binary frames for broadcasts.

import type { Steps } from '@practice/core';
import { type Broadcast, type BroadcastContent, EVENTS, type Message, valueIn } from './message.js';

// The binary frames of protocol 2.0.0. Only broadcasts use them. A frame begins with its kind and the lengths of its texts in bytes.
// https://github.com/supabase/realtime: lib/realtime_web/socket/v2_serializer.ex

const KIND = { push: 3, broadcast: 4 } as const;
const ENCODING = { binary: 0, json: 1 } as const;
const MAX_TEXT_BYTES = 255;
const PUSH_HEADER = 7;

/**
 * Reads a client's broadcast: kind, the lengths of join ref, ref, topic, event and metadata, the encoding, these texts, the content.
 * @throws {SyntaxError}
 */
function* decodePush(frame: Buffer): Steps<Message> {
  if (frame[0] !== KIND.push || frame.length < PUSH_HEADER) throw new SyntaxError('no frame of a broadcast');
  let at = PUSH_HEADER;
  const [joinRef, ref, topic, event] = [...frame.subarray(1, 6)].map((length) => {
    const text = frame.subarray(at, at + length);
    if (text.length < length) throw new SyntaxError('the frame ends within its header');
    at += length;
    return text.toString('utf8');
  }) as [string, string, string, string];
  const content = yield* contentOf(frame[6], frame.subarray(at));
  const broadcast = { event, content };
  const refs = { joinRef: joinRef || null, ref: ref || null };
  return { ...refs, topic, event: EVENTS.broadcast, payload: undefined, broadcast };
}

function* contentOf(encoding: number | undefined, bytes: Buffer): Steps<BroadcastContent> {
  if (encoding === ENCODING.binary) return { encoding: 'binary', bytes };
  if (encoding !== ENCODING.json) throw new SyntaxError('unknown encoding');
  yield* valueIn(bytes);
  return { encoding: 'json', json: bytes.toString() };
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
const fitsFrame = (text: string): boolean => Buffer.byteLength(text) <= MAX_TEXT_BYTES;

/** A message of the server. Its payload is already JSON. */
export interface Written extends Omit<Message, 'payload' | 'broadcast'> {
  readonly json: string;
}

export interface Serializer {
  /** @throws {SyntaxError} */
  readonly decode: (data: Buffer, isBinary: boolean) => Steps<Message>;
  readonly encode: (message: Written) => string;
  /** A broadcast for a client; undefined if the version cannot represent it. */
  readonly broadcast: (topic: string, broadcast: Broadcast) => string | Buffer | undefined;
}

const objects: Serializer = {
  *decode(data, isBinary) {
    if (isBinary) throw new SyntaxError('protocol 1.0.0 has no binary frames');
    const { join_ref, ref, topic, event, payload } = (yield* parsed(data)) as Record<string, unknown>;
    return checked([join_ref, ref, topic, event, payload]);
  },
  encode({ joinRef, ref, topic, event, json }) {
    const head = JSON.stringify({ ref, topic, event, ...(joinRef === null ? {} : { join_ref: joinRef }) });
    return `${head.slice(0, -1)},"payload":${json}}`;
  },
  broadcast: (topic, broadcast) => textBroadcast(objects, topic, broadcast),
};

const arrays: Serializer = {
  *decode(data, isBinary) {
    return isBinary ? yield* decodePush(data) : checked(yield* parsed(data));
  },
  encode: ({ joinRef, ref, topic, event, json }) =>
    `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${json}]`,
  broadcast: (topic, broadcast) =>
    fitsFrame(topic) && fitsFrame(broadcast.event)
      ? encodeBroadcast(topic, broadcast)
      : textBroadcast(arrays, topic, broadcast),
};

/** A broadcast as JSON, for clients of protocol 1.0.0 and for names that are too long for a binary frame. */
function textBroadcast(
  { encode }: Serializer,
  topic: string,
  { event, content }: Broadcast,
): string | undefined {
  if (content.encoding === 'binary') return undefined;
  const type = EVENTS.broadcast;
  const json = `{"type":"${type}","event":${JSON.stringify(event)},"payload":${content.json}}`;
  return encode({ joinRef: null, ref: null, topic, event: type, json });
}

const versions: ReadonlyMap<string, Serializer> = new Map([
  ['1.0.0', objects],
  ['2.0.0', arrays],
]);

/** The serializer of a version, 1.0.0 if the client names none; undefined for a version that does not exist. */
export const serializerOf = (version: string | null): Serializer | undefined =>
  versions.get(version ?? '1.0.0');

function* parsed(data: Buffer): Steps<object> {
  const value = yield* valueIn(data);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('neither an object nor an array');
  return value;
}

const isRef = (value: unknown): value is string | null | undefined =>
  value === null || value === undefined || (typeof value === 'string' && value.length <= 64);

function checked(parts: object): Message {
  if (!Array.isArray(parts)) throw new SyntaxError('no array');
  const [joinRef, ref, topic, event, payload] = parts as unknown[];
  const isMessage = isRef(joinRef) && isRef(ref) && typeof topic === 'string' && typeof event === 'string';
  if (!isMessage) throw new SyntaxError('a message lacks its topic or event');
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
}

/** The bytes of a WebSocket message. */
export type Encoded = ReturnType<typeof encodedOf>;

/** A message for many clients. It is encoded once for each version of the protocol, and all receivers share the bytes. */
export class SharedMessage {
  private readonly encoded = new Map<Serializer, Encoded | undefined>();

  /** @param encode writes the message; undefined if the version cannot represent it */
  constructor(private readonly encode: (serializer: Serializer) => string | Buffer | undefined) {}

  /** The message for clients of a version; undefined if the version cannot represent it. */
  for(serializer: Serializer): Encoded | undefined {
    if (!this.encoded.has(serializer)) {
      const written = this.encode(serializer);
      this.encoded.set(serializer, written === undefined ? undefined : encodedOf(written));
    }
    return this.encoded.get(serializer);
  }
}

/** The message of a version as bytes. */
export const encodedOf = (written: string | Buffer) =>
  typeof written === 'string'
    ? { bytes: Buffer.from(written), isBinary: false }
    : { bytes: written, isBinary: true };
