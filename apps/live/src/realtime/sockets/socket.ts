// One socket of a client, with its channels.

import { Rejection } from '@practice/core';
import type { WebSocket } from 'ws';
import { Channel } from '../channels/channel.js';
import type { ChannelParts } from '../channels/channel.js';
import type { Origin } from '../channels/caller.js';
import { reasonOf } from '../channels/reasons.js';
import { limits, MessageRate } from '../limits.js';
import { readJoin } from '../protocol/join.js';
import type { JoinConfig } from '../protocol/join.js';
import { channelName, EVENTS, ProtocolError, SOCKET_TOPIC } from '../protocol/message.js';
import type { Message } from '../protocol/message.js';
import type { Serializer } from '../protocol/serializer.js';
import { broadcastOf } from './broadcast-of.js';
import { joinRefusal } from './join-refusal.js';

/** A channel, or the attempt to join one. */
interface Joined {
  readonly joinRef: string | null;
  channel: Channel | undefined;
}

interface Wanted {
  readonly name: string;
  readonly config: JoinConfig;
}

/** Codes with which sockets are closed: https://www.iana.org/assignments/websocket/websocket.xhtml */
const CLOSE = { protocolError: 1002, policyViolation: 1008, restart: 1012 } as const;

export interface SocketOptions {
  readonly socket: WebSocket;
  readonly serializer: Serializer;
  readonly origin: Origin;
  readonly parts: ChannelParts;
  /** Called for an error that is a defect. */
  readonly failed: (error: unknown) => void;
}

export class ClientSocket {
  private readonly channels = new Map<string, Joined>();
  private readonly rate = new MessageRate();
  private lastHeard = performance.now();
  private lastJoined = performance.now();
  private subscriptions = 0;

  constructor(private readonly options: SocketOptions) {
    const { socket } = options;
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    socket.on('close', () => this.closeChannels());
    // `ws` closes the socket after an error.
    socket.on('error', () => undefined);
  }

  /** Closes a socket that says nothing, or has had no channel for as long. */
  sweep(now: number): void {
    if (this.channels.size > 0) this.lastJoined = now;
    const isIdle = now - Math.min(this.lastHeard, this.lastJoined) > limits.silenceMs;
    if (isIdle) this.options.socket.terminate();
  }

  /** Asks the client to come back to another process. */
  restart(): void {
    this.options.socket.close(CLOSE.restart, 'restart');
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.lastHeard = performance.now();
    try {
      const message = this.options.serializer.decode(data, isBinary);
      if (this.rate.take(this.lastHeard)) this.dispatch(message);
      else this.refuseFlood(message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.options.failed(error);
      this.options.socket.close(CLOSE.protocolError, 'malformed message');
    }
  }

  private refuseFlood({ topic }: Message): void {
    this.channels.get(topic)?.channel?.end('Too many messages per second');
    this.options.socket.close(CLOSE.policyViolation, 'too many messages');
  }

  private dispatch(message: Message): void {
    const { topic, event } = message;
    if (topic === SOCKET_TOPIC) return this.reply(message, 'ok', {});
    if (event === EVENTS.join) return this.join(message);
    const joined = this.channels.get(topic);
    if (joined === undefined) {
      if (message.ref !== null) this.reply(message, 'error', { reason: 'unmatched topic' });
      return;
    }
    if (event === EVENTS.leave) return this.leave(message);
    if (joined.channel !== undefined) this.toChannel(joined.channel, message);
  }

  private toChannel(channel: Channel, message: Message): void {
    const { event, payload } = message;
    if (event === EVENTS.broadcast) {
      const reason = channel.broadcast(broadcastOf(message));
      if (channel.acknowledges) this.answer(message, reason);
    } else if (event === EVENTS.presence) this.answer(message, channel.changePresence(payload));
    else if (event === EVENTS.accessToken) this.setToken(channel, message);
  }

  private setToken(channel: Channel, message: Message): void {
    const { access_token: token } = (message.payload ?? {}) as { access_token?: unknown };
    if (typeof token === 'string')
      channel.setToken(token).catch((error: unknown) => this.fail(message, error));
  }

  private join(message: Message): void {
    const { topic, ref, joinRef } = message;
    const name = channelName(topic);
    if (name === undefined) return this.reply(message, 'error', { reason: 'unmatched topic' });
    this.drop(topic);
    const config = readJoin(message.payload);
    const refusal = joinRefusal({ name, config, others: this.channels.size });
    if (refusal !== undefined) return this.reply(message, 'error', { reason: refusal });
    const joined: Joined = { joinRef: joinRef ?? ref, channel: undefined };
    this.channels.set(topic, joined);
    this.openChannel(message, joined, { name, config }).catch((error: unknown) => {
      if (this.channels.get(topic) !== joined) return;
      if (error instanceof Rejection) this.refuse(message, reasonOf(error.problem));
      else this.fail(message, error);
    });
  }

  private async openChannel(message: Message, joined: Joined, { name, config }: Wanted): Promise<void> {
    const { topic } = message;
    const { origin, parts } = this.options;
    const asked = config.changes.map((given) => ({ id: (this.subscriptions += 1), given }));
    const output = this.outputOf(topic, joined);
    const channel = await Channel.of(parts, { name, config, origin, asked, output });
    // The client may have left meanwhile, or joined again.
    if (this.channels.get(topic) !== joined) return;
    const [refusal] = channel.refusals;
    if (config.waits && refusal !== undefined)
      return this.refuse(message, `RealtimeDisabledForConfiguration: ${refusal}`);
    joined.channel = channel;
    await channel.open();
    if (this.channels.get(topic) !== joined) return;
    this.reply(message, 'ok', { postgres_changes: asked.map(({ id, given }) => ({ ...given, id })) });
    channel.greet();
  }

  private outputOf(topic: string, joined: Joined) {
    const { serializer } = this.options;
    const push = (event: string, payload: object, ref: string | null = null): void =>
      this.send(serializer.encode({ joinRef: joined.joinRef, ref, topic, event, payload }));
    return {
      push: (event: string, payload: object) => push(event, payload),
      broadcast: (broadcast: Parameters<Serializer['broadcast']>[1]) => {
        const frame = serializer.broadcast(topic, broadcast);
        if (frame !== undefined) this.send(frame);
      },
      failed: this.options.failed,
      closed: () => {
        if (this.channels.get(topic) === joined) this.channels.delete(topic);
        push(EVENTS.close, {}, joined.joinRef);
      },
    };
  }

  private refuse(message: Message, reason: string): void {
    this.drop(message.topic);
    this.reply(message, 'error', { reason });
  }

  private leave(message: Message): void {
    this.drop(message.topic);
    this.reply(message, 'ok', {});
  }

  private drop(topic: string): void {
    this.channels.get(topic)?.channel?.close();
    this.channels.delete(topic);
  }

  private fail(message: Message, error: unknown): void {
    this.options.failed(error);
    this.drop(message.topic);
    this.reply(message, 'error', { reason: 'UnknownErrorOnChannel: Unknown Error on Channel' });
  }

  private answer(message: Message, reason: string | undefined): void {
    if (reason === undefined) this.reply(message, 'ok', {});
    else this.reply(message, 'error', { reason });
  }

  private reply({ joinRef, ref, topic }: Message, status: 'ok' | 'error', response: object): void {
    const payload = { status, response };
    this.send(this.options.serializer.encode({ joinRef, ref, topic, event: EVENTS.reply, payload }));
  }

  /** A client that does not read is cut: what waits for it would take memory without end. */
  private send(data: string | Buffer): void {
    const { socket } = this.options;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(data);
    if (socket.bufferedAmount > limits.backlogBytes) socket.terminate();
  }

  private closeChannels(): void {
    for (const { channel } of this.channels.values()) channel?.close();
    this.channels.clear();
  }
}
