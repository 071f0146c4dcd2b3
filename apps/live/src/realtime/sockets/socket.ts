// One socket of a client, with its channels.

import { Rejection, type Steps } from '@practice/core';
import type { WebSocket } from 'ws';
import { Channel } from '../channels/channel.js';
import type { ChannelOptions, ChannelOutput, ChannelParts, Origin } from '../channels/channel.js';
import { reasonOf } from '../channels/reasons.js';
import { limits } from '../limits.js';
import { broadcastOf, channelName, EVENTS, readJoin, SOCKET_TOPIC } from '../protocol/message.js';
import type { JoinConfig, Message } from '../protocol/message.js';
import { encodedOf, type Serializer, type Written } from '../protocol/serializer.js';
import { CountedSocket, Inbox, joinRefusal, practiceRefusal } from './admission.js';

/** A channel, or the attempt to join one. */
interface Joined {
  readonly joinRef: string | null;
  channel: Channel | undefined;
  /** Returns the channel's part to the allowance of its practice. */
  release: () => void;
  /** The last message with a token. It may arrive before the channel is open. */
  newToken?: Message | undefined;
}

type Wanted = Pick<ChannelOptions, 'name' | 'config'>;

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
  private readonly counted: CountedSocket;
  private lastHeard = performance.now();
  private lastJoined = performance.now();
  private subscriptions = 0;

  constructor(private readonly options: SocketOptions) {
    const { socket, parts, origin } = options;
    this.counted = new CountedSocket(socket, parts.allowances, origin.ip);
    const inbox = new Inbox({
      ...{ socket, counted: this.counted, failed: options.failed },
      take: (data, isBinary) => this.take(data, isBinary),
      refuse: (of) => this.refuseFlood(of),
    });
    socket.on('message', (data: Buffer, isBinary) => {
      this.lastHeard = performance.now();
      inbox.receive(data, isBinary);
    });
    socket.on('close', () => this.closeChannels());
    // `ws` closes the socket after an error.
    socket.on('error', () => undefined);
  }

  /** Closes a socket that has sent no message, or has had no channel, for too long. */
  sweep(now: number): void {
    if (this.channels.size > 0) this.lastJoined = now;
    const isIdle = now - Math.min(this.lastHeard, this.lastJoined) > limits.silenceMs;
    if (isIdle) this.options.socket.terminate();
  }

  /** Asks the client to reconnect to another process. */
  restart(): void {
    const { socket } = this.options;
    socket.close(CLOSE.restart, 'restart');
    // A client that is gone does not answer, and `ws` would wait for it longer than this process has time to stop.
    setTimeout(() => socket.terminate(), limits.closingMs).unref();
  }

  private *take(data: Buffer, isBinary: boolean): Steps<void> {
    let isRead = false;
    try {
      const message = yield* this.options.serializer.decode(data, isBinary);
      isRead = true;
      const { socket } = this.options;
      // A socket that closed before this turn has dropped its channels. Nothing would end a channel that it opens now.
      if (socket.readyState !== socket.CLOSED) this.dispatch(message);
    } catch (error) {
      if (isRead || !(error instanceof SyntaxError)) this.options.failed(error);
      this.options.socket.close(CLOSE.protocolError, 'malformed message');
    }
  }

  private refuseFlood(of: 'messages' | 'bytes'): void {
    for (const { channel } of [...this.channels.values()]) channel?.end(`Too many ${of} per second`);
    this.options.socket.close(CLOSE.policyViolation, `too many ${of}`);
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
    if (event === EVENTS.accessToken) joined.newToken = joined.channel === undefined ? message : undefined;
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
    const refusal = joinRefusal(name, config, this.channels.size);
    if (refusal !== undefined) return this.reply(message, 'error', { reason: refusal });
    const joined: Joined = { joinRef: joinRef ?? ref, channel: undefined, release: () => undefined };
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
    // In the meantime, the client may have left or joined again.
    if (this.channels.get(topic) !== joined) return;
    const [refusal] = channel.refusals;
    if (config.waits && refusal !== undefined)
      return this.refuse(message, `RealtimeDisabledForConfiguration: ${refusal}`);
    const full = this.count(joined, channel, config);
    if (full !== undefined) return this.refuse(message, full);
    joined.channel = channel;
    await channel.open();
    if (this.channels.get(topic) !== joined) return;
    this.reply(message, 'ok', { postgres_changes: asked.map(({ id, given }) => ({ ...given, id })) });
    channel.greet();
    if (joined.newToken !== undefined) this.setToken(channel, joined.newToken);
    joined.newToken = undefined;
  }

  /** Counts a channel for its practice. @returns the reason if there is no room for the channel */
  private count(joined: Joined, { identity }: Channel, { changes }: JoinConfig): string | undefined {
    const { therapistId, userId } = identity;
    const allowance = this.options.parts.allowances.ofPractice(therapistId);
    const subscriptionBytes = Buffer.byteLength(JSON.stringify(changes));
    const member = this.counted.countsFor(allowance, userId) ? undefined : userId;
    const refusal = practiceRefusal(allowance, member, subscriptionBytes);
    if (refusal !== undefined) return refusal;
    this.counted.countFor(allowance, userId);
    allowance.channels += 1;
    allowance.subscriptionBytes += subscriptionBytes;
    joined.release = () => {
      allowance.channels -= 1;
      allowance.subscriptionBytes -= subscriptionBytes;
    };
    return undefined;
  }

  private outputOf(topic: string, joined: Joined): ChannelOutput {
    const { serializer, failed } = this.options;
    return {
      push: (event, json) => this.send({ joinRef: joined.joinRef, ref: null, topic, event, json }),
      share: (message) => {
        const encoded = message.for(serializer);
        if (encoded !== undefined) this.counted.send(encoded);
      },
      failed,
      closed: () => this.remove(topic, joined),
    };
  }

  private refuse(message: Message, reason: string): void {
    this.drop(message.topic);
    this.reply(message, 'error', { reason });
  }

  private leave(message: Message): void {
    const joined = this.drop(message.topic);
    this.reply(message, 'ok', {});
    if (joined !== undefined) this.tellClosed(message.topic, joined);
  }

  /** Ends a channel because the client has left or its join is refused. */
  private drop(topic: string): Joined | undefined {
    const joined = this.channels.get(topic);
    joined?.channel?.close();
    joined?.release();
    this.channels.delete(topic);
    return joined;
  }

  /** Removes a channel that has ended itself. */
  private remove(topic: string, joined: Joined): void {
    if (this.channels.get(topic) === joined) {
      this.channels.delete(topic);
      joined.release();
    }
    this.tellClosed(topic, joined);
  }

  private tellClosed(topic: string, { joinRef }: Joined): void {
    this.send({ joinRef, ref: joinRef, topic, event: EVENTS.close, json: '{}' });
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
    this.send({ joinRef, ref, topic, event: EVENTS.reply, json: JSON.stringify({ status, response }) });
  }

  private send(message: Written): void {
    this.counted.send(encodedOf(this.options.serializer.encode(message)));
  }

  private closeChannels(): void {
    for (const topic of [...this.channels.keys()]) this.drop(topic);
  }
}
