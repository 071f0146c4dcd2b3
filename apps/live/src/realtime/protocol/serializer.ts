// The two versions of the protocol: 1.0.0 has JSON objects, 2.0.0 JSON arrays and binary frames for broadcasts.

import { decodePush, encodeBroadcast, fitsFrame } from './binary.js';
import { EVENTS, ProtocolError } from './message.js';
import type { Broadcast, Message } from './message.js';

/** A message of the server, whose payload is written as JSON already. */
export interface Written extends Omit<Message, 'payload' | 'broadcast'> {
  readonly json: string;
}

export interface Serializer {
  /** @throws {ProtocolError} */
  readonly decode: (data: Buffer, isBinary: boolean) => Message;
  readonly encode: (message: Written) => string;
  /** A broadcast for a client; undefined where the version cannot represent it. */
  readonly broadcast: (topic: string, broadcast: Broadcast) => string | Buffer | undefined;
}

const objects: Serializer = {
  decode(data, isBinary) {
    if (isBinary) throw new ProtocolError('protocol 1.0.0 has no binary frames');
    const { join_ref, ref, topic, event, payload } = parsed(data) as Record<string, unknown>;
    return checked([join_ref, ref, topic, event, payload]);
  },
  encode({ joinRef, ref, topic, event, json }) {
    const head = JSON.stringify({ ref, topic, event, ...(joinRef === null ? {} : { join_ref: joinRef }) });
    return `${head.slice(0, -1)},"payload":${json}}`;
  },
  broadcast: (topic, broadcast) => textBroadcast(objects, topic, broadcast),
};

const arrays: Serializer = {
  decode: (data, isBinary) => (isBinary ? decodePush(data) : checked(parsed(data))),
  encode: ({ joinRef, ref, topic, event, json }) =>
    `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${json}]`,
  broadcast: (topic, broadcast) =>
    fitsFrame(topic) && fitsFrame(broadcast.event)
      ? encodeBroadcast(topic, broadcast)
      : textBroadcast(arrays, topic, broadcast),
};

/** A broadcast as JSON, for clients of protocol 1.0.0, and where its names are too long for a binary frame. */
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

function parsed(data: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    throw new ProtocolError('not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new ProtocolError('neither an object nor an array');
  return value;
}

const isRef = (value: unknown): value is string | null | undefined =>
  value === null || value === undefined || (typeof value === 'string' && value.length <= 64);

function checked(parts: object): Message {
  if (!Array.isArray(parts)) throw new ProtocolError('no array');
  const [joinRef, ref, topic, event, payload] = parts as unknown[];
  const isMessage = isRef(joinRef) && isRef(ref) && typeof topic === 'string' && typeof event === 'string';
  if (!isMessage) throw new ProtocolError('a message lacks its topic or event');
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
}
