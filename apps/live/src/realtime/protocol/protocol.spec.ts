// The two versions of the protocol, checked with the serializer of the client.

import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { channelName, readJoin, topicOf } from './message.js';
import { encodeBroadcast, type Serializer, serializerOf } from './serializer.js';

const [objects, arrays] = ['1.0.0', '2.0.0'].map(serializerOf) as [Serializer, Serializer];
const message = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'heartbeat', payload: { a: 1 } };
const written = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'heartbeat', json: '{"a":1}' };
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** A broadcast as realtime-js writes it: kind 3, five lengths, the encoding, four texts, the content. */
function push(event: string, encoding: number, content: Buffer): Buffer {
  const texts = ['1', '2', 'realtime:a', event, ''].map((text) => Buffer.from(text));
  return Buffer.concat([Buffer.from([3, ...texts.map(({ length }) => length), encoding]), ...texts, content]);
}

describe('protocol 1.0.0', () => {
  it('has objects', () => {
    const { joinRef, ...rest } = message;
    expect(allSteps(objects.decode(bytes({ join_ref: joinRef, ...rest }), false))).toEqual(message);
    expect(JSON.parse(objects.encode(written))).toEqual({ join_ref: '1', ...rest });
  });

  it('has no binary frames', () => {
    expect(() => allSteps(objects.decode(push('a', 1, bytes({})), true))).toThrow(SyntaxError);
    const binary = { encoding: 'binary', bytes: Buffer.from('x') } as const;
    expect(objects.broadcast('realtime:a', { event: 'e', content: binary })).toBeUndefined();
  });
});

describe('protocol 2.0.0', () => {
  it('has arrays', () => {
    expect(allSteps(arrays.decode(bytes(['1', '2', 'realtime:a', 'heartbeat', { a: 1 }]), false))).toEqual(
      message,
    );
    expect(JSON.parse(arrays.encode(written))).toEqual(['1', '2', 'realtime:a', 'heartbeat', { a: 1 }]);
  });

  it('reads broadcasts in binary frames, with JSON and with bytes', () => {
    const json = allSteps(arrays.decode(push('é', 1, bytes({ a: 'ü' })), true));
    expect(json).toMatchObject({ topic: 'realtime:a', event: 'broadcast', joinRef: '1', ref: '2' });
    expect(json.broadcast).toEqual({ event: 'é', content: { encoding: 'json', json: '{"a":"ü"}' } });
    const raw = allSteps(arrays.decode(push('e', 0, Buffer.from([0, 255])), true));
    expect(raw.broadcast).toEqual({
      event: 'e',
      content: { encoding: 'binary', bytes: Buffer.from([0, 255]) },
    });
  });

  it('reads a large message in steps', () => {
    const payload = Array(10_000).fill({ a: 1 });
    const json = arrays.decode(bytes([null, null, 'realtime:a', 'broadcast', payload]), false);
    const binary = arrays.decode(push('e', 1, bytes(payload)), true);
    expect([[...json].length, [...binary].length]).toEqual([20, 20]);
  });

  it('writes broadcasts in binary frames', () => {
    const content = { encoding: 'json', json: '{"a":1}' } as const;
    const frame = encodeBroadcast('realtime:ä', { event: 'é', content });
    expect([...frame.subarray(0, 5)]).toEqual([4, 11, 2, 0, 1]);
    expect(frame.subarray(5).toString()).toBe('realtime:äé{"a":1}');
  });

  it('writes a broadcast with a long name as JSON', () => {
    const content = { encoding: 'json', json: '1' } as const;
    const text = arrays.broadcast('realtime:a', { event: 'e'.repeat(256), content });
    expect(JSON.parse(String(text))).toEqual([
      ...[null, null, 'realtime:a', 'broadcast'],
      { type: 'broadcast', event: 'e'.repeat(256), payload: 1 },
    ]);
  });

  it.each<[string, Buffer, boolean]>([
    ['no JSON', Buffer.from('{'), false],
    ['a number', Buffer.from('1'), false],
    ['too many levels', Buffer.from('['.repeat(65) + '1' + ']'.repeat(65)), false],
    ['an object', bytes({ topic: 'a', event: 'b' }), false],
    ['no topic', bytes([null, null, null, 'a', {}]), false],
    ['a ref that is a number', bytes([1, null, 'a', 'b', {}]), false],
    ['an empty frame', Buffer.alloc(0), true],
    ['another kind of frame', Buffer.from([9, 0, 0, 0, 0, 0, 0]), true],
    ['a frame that is shorter than its header says', Buffer.from([3, 9, 9, 9, 9, 9, 1, 65]), true],
    ['an unknown encoding', push('e', 7, bytes({})), true],
    ['content that is no JSON', push('e', 1, Buffer.from('{')), true],
  ])('refuses %s', (_, data, isBinary) => {
    expect(() => allSteps(arrays.decode(data, isBinary))).toThrow(SyntaxError);
  });
});

it('a client that names no version has 1.0.0, and an unknown version has no serializer', () => {
  expect(serializerOf(null)).toBe(objects);
  expect(serializerOf('3.0.0')).toBeUndefined();
});

it('the name of a channel follows the prefix of its topic', () => {
  expect(['realtime:a:b', 'realtime:', 'phoenix', 'a'].map(channelName)).toEqual(['a:b', , , ,]);
  expect(topicOf('a')).toBe('realtime:a');
});

describe('the payload of a join', () => {
  it('is read as clients send it', () => {
    const config = {
      broadcast: { self: true, ack: false },
      presence: { key: 'k', enabled: true },
      postgres_changes: [{ event: '*' }, null],
      postgres_changes_options: { wait: true },
      private: false,
    };
    expect(readJoin({ config, access_token: 't' })).toEqual({
      accessToken: 't',
      broadcast: { self: true, ack: false, replicationReady: false },
      waits: true,
      presence: { key: 'k', enabled: true },
      changes: [{ event: '*' }],
    });
  });

  it.each([
    [null],
    [[]],
    ['x'],
    [{ config: 1, access_token: 1 }],
    [{ config: { presence: [], broadcast: 'x' } }],
  ])('has defaults instead of malformed members: %j', (payload) => {
    expect(readJoin(payload)).toEqual({
      accessToken: undefined,
      broadcast: { self: false, ack: false, replicationReady: false },
      waits: false,
      presence: { key: '', enabled: false },
      changes: [],
    });
  });
});
