// One topic of a practice on this process: the channels of its clients, and the connection to other processes. Messages to many
// channels are sent in the turns of the practice.

import type { Subscription } from '@nats-io/transport-node';
import { type Connection, listenTo } from '@practice/bus';
import type { Allowance } from '../allowance.js';
import { limits, practiceLimits } from '../limits.js';
import { diffMessage, isEmpty, PresenceSet } from '../presence/presences.js';
import type { Presence, PresenceDiff } from '../presence/presences.js';
import { type Broadcast, EVENTS } from '../protocol/message.js';
import { SharedMessage } from '../protocol/serializer.js';
import { decodeSent, encodeSent, type Sent, type TopicMessage } from './topic-message.js';

/** A channel from the view of its topic. */
export interface Member {
  readonly receive: (broadcast: SharedMessage) => void;
  readonly presenceChanged: (diff: SharedMessage) => void;
  /** Called when broadcasts of other processes were not delivered, because the practice sends too many bytes. */
  readonly missedBroadcasts: () => void;
}

export interface TopicParts {
  readonly connection: Connection;
  readonly subject: string;
  /** The name that clients use: `realtime:room`. */
  readonly topic: string;
  /** The share of its practice in this process. */
  readonly allowance: Allowance;
  /** The id of this process. */
  readonly process: string;
  /** The number at which the count of presence changes starts. */
  readonly base: number;
  /** Called for each message of another process. */
  readonly heard: (process: string) => void;
  /** Called for an error that is a defect. */
  readonly failed: (error: unknown) => void;
}

/** The shortest time between two messages to clients about missed broadcasts. */
const TELL_MISSED_MS = 1_000;

export class Topic {
  readonly members = new Set<Member>();
  private readonly presences: PresenceSet;
  private readonly subscription: Subscription;
  private references = 0;
  private toldMissed = -Infinity;

  constructor(private readonly parts: TopicParts) {
    const { connection, subject } = parts;
    this.presences = new PresenceSet(parts.base);
    this.subscription = listenTo(connection, subject, ({ data }) => this.hear(data));
    this.refresh();
  }

  /** All presences, in the format for clients. */
  get state(): object {
    return this.presences.state();
  }

  /** Sends a broadcast to all channels except one. @returns false if the practice may not send that much */
  broadcast(broadcast: Broadcast, except: Member | null): boolean {
    const cost = costOf(sizeOf(broadcast), this.members.size - (except === null ? 0 : 1));
    const isTaken = this.parts.allowance.broadcast.take(cost);
    if (isTaken) this.send(broadcast, except);
    return isTaken;
  }

  /** Sends a broadcast that was already taken from the allowance. */
  send(broadcast: Broadcast, except: Member | null): void {
    this.deliver(broadcast, except);
    this.say({ kind: 'broadcast', broadcast });
  }

  /** Takes a change of presence from the allowance. @returns false if the practice may not send that much */
  takes(bytes: number): boolean {
    return this.parts.allowance.broadcast.take(costOf(bytes, this.members.size));
  }

  /**
   * Makes a client present. The new presence replaces the previous one of the client.
   * @returns the reference; undefined if there are too many presences
   */
  track(presence: Presence): string | undefined {
    const { allowance, process } = this.parts;
    if (presence.previous === undefined) {
      const isFull = this.presences.localSize >= limits.presences;
      if (isFull || allowance.presences >= practiceLimits.presences) return undefined;
      allowance.presences += 1;
    }
    this.references += 1;
    const reference = `${process}.${this.references}`;
    this.tell(this.presences.track(reference, presence));
    return reference;
  }

  untrack(reference: string): void {
    this.parts.allowance.presences -= 1;
    this.tell(this.presences.untrack(reference));
  }

  /** Forgets the presences of a process that is gone. */
  forget(process: string): void {
    this.changed(this.presences.forget(process));
  }

  /** Exchanges presences with all other processes. */
  refresh(): void {
    this.ask();
    this.tellState();
  }

  /** Runs work of the topic in the turns of the practice. */
  inTurn(steps: Iterator<unknown>): void {
    const { allowance, failed } = this.parts;
    allowance.inTurn(steps).catch(failed);
  }

  close(): void {
    if (!this.parts.connection.nats.isClosed()) this.subscription.unsubscribe();
  }

  private hear(data: Uint8Array): void {
    const { allowance, failed } = this.parts;
    const taken = allowance.queue(data, () => this.take(decodeSent(data)));
    // Presence is not lost: after a gap in the changes, the whole state is requested.
    if (taken === undefined) this.tellMissed();
    else taken.catch(failed);
  }

  private take(sent: Sent): void {
    const { from } = sent;
    // A closed topic would answer with an older state than the next topic of the same name has sent.
    if (from === this.parts.process || this.subscription.isClosed()) return;
    this.parts.heard(from);
    if (sent.kind === 'broadcast') this.takeBroadcast(sent.broadcast);
    else if (sent.kind === 'ask') this.tellState();
    else if (sent.kind === 'state') this.changed(this.presences.replace(from, sent.sequence, sent.presences));
    else this.hearDiff(from, sent.sequence, sent.diff);
  }

  private takeBroadcast(broadcast: Broadcast): void {
    const isTaken = this.takes(sizeOf(broadcast));
    if (isTaken) this.deliver(broadcast, null);
    else this.tellMissed();
  }

  private hearDiff(from: string, sequence: number, diff: PresenceDiff): void {
    const changed = this.presences.hear(from, sequence, diff);
    if (changed === undefined) this.ask();
    else this.changed(changed);
  }

  private tell(diff: PresenceDiff): void {
    this.changed(diff);
    this.say({ kind: 'diff', sequence: this.presences.sequence, diff });
  }

  private tellState(): void {
    const { sequence, local } = this.presences;
    this.say({ kind: 'state', sequence, presences: local });
  }

  private ask(): void {
    this.say({ kind: 'ask' });
  }

  private tellMissed(): void {
    const now = performance.now();
    if (now - this.toldMissed < TELL_MISSED_MS) return;
    this.toldMissed = now;
    this.inTurn(this.toMembers((member) => member.missedBroadcasts()));
  }

  private changed(diff: PresenceDiff): void {
    if (isEmpty(diff)) return;
    const { topic } = this.parts;
    const message = new SharedMessage((serializer) =>
      serializer.encode({
        ...{ joinRef: null, ref: null, topic, event: EVENTS.presenceDiff },
        json: JSON.stringify(diffMessage(diff)),
      }),
    );
    this.inTurn(this.toMembers((member) => member.presenceChanged(message)));
  }

  private deliver(broadcast: Broadcast, except: Member | null): void {
    const { topic } = this.parts;
    const message = new SharedMessage((serializer) => serializer.broadcast(topic, broadcast));
    const send = (member: Member): void => (member === except ? undefined : member.receive(message));
    this.inTurn(this.toMembers(send));
  }

  private *toMembers(send: (member: Member) => void): Generator<void, void> {
    for (const member of this.members) {
      send(member);
      yield;
    }
  }

  private say(message: TopicMessage): void {
    const { connection, process, subject } = this.parts;
    if (!connection.nats.isClosed())
      connection.nats.publish(subject, encodeSent({ from: process, ...message }));
  }
}

/** The cost of a message in bytes: its size for each receiver, and once more for the other processes. */
export const costOf = (bytes: number, receivers: number): number =>
  Math.max(practiceLimits.leastBytes, bytes) * (receivers + 1);

/** The bytes of a broadcast: of its event and its content. */
export const sizeOf = ({ event, content }: Broadcast): number =>
  Buffer.byteLength(event) + Buffer.byteLength(content.encoding === 'binary' ? content.bytes : content.json);
