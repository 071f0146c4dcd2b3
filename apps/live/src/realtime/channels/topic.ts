// One topic of a practice on this process: the channels of its clients, and the way to other processes.

import type { Subscription } from '@nats-io/transport-node';
import type { Connection } from '@practice/messaging';
import type { Broadcast } from '../protocol/message.js';
import { limits } from '../limits.js';
import { isEmpty, PresenceSet } from '../presence/presences.js';
import type { Presence, PresenceDiff } from '../presence/presences.js';
import { decodeSent, encodeSent } from './topic-message.js';
import type { Sent, TopicMessage } from './topic-message.js';

/** A channel, as its topic sees it. */
export interface Member {
  readonly receive: (broadcast: Broadcast) => void;
  readonly presenceChanged: (diff: PresenceDiff) => void;
}

export interface TopicParts {
  readonly connection: Connection;
  readonly subject: string;
  /** The id of this process. */
  readonly process: string;
  /** The number from which on changes of presence are counted. */
  readonly base: number;
  /** Called for each message of another process. */
  readonly heard: (process: string) => void;
}

export class Topic {
  readonly members = new Set<Member>();
  private readonly presences: PresenceSet;
  private readonly subscription: Subscription;
  private references = 0;

  constructor(private readonly parts: TopicParts) {
    const { connection, subject } = parts;
    this.presences = new PresenceSet(parts.base);
    this.subscription = connection.nats.subscribe(subject, {
      callback: (error, { data }) => {
        if (error === null) this.hear(decodeSent(data));
      },
    });
    this.refresh();
  }

  /** Everything that is present, as clients get it. */
  get state(): object {
    return this.presences.state();
  }

  /** Sends a broadcast to all channels except one. */
  broadcast(broadcast: Broadcast, except: Member | null): void {
    this.deliver(broadcast, except);
    this.say({ kind: 'broadcast', broadcast });
  }

  /**
   * Makes a client present, in the place of what it tracked before.
   * @returns the reference; undefined if there are too many presences
   */
  track(presence: Presence): string | undefined {
    const isNew = presence.previous === undefined;
    if (isNew && this.presences.localSize >= limits.presences) return undefined;
    this.references += 1;
    const reference = `${this.parts.process}.${this.references}`;
    this.tell(this.presences.track(reference, presence));
    return reference;
  }

  untrack(reference: string): void {
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

  close(): void {
    if (!this.parts.connection.nats.isClosed()) this.subscription.unsubscribe();
  }

  private hear(sent: Sent): void {
    const { from } = sent;
    if (from === this.parts.process) return;
    this.parts.heard(from);
    if (sent.kind === 'broadcast') this.deliver(sent.broadcast, null);
    else if (sent.kind === 'ask') this.tellState();
    else if (sent.kind === 'state') this.changed(this.presences.replace(from, sent.sequence, sent.presences));
    else this.hearDiff(from, sent.sequence, sent.diff);
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

  private changed(diff: PresenceDiff): void {
    if (!isEmpty(diff)) for (const member of this.members) member.presenceChanged(diff);
  }

  private deliver(broadcast: Broadcast, except: Member | null): void {
    for (const member of this.members) if (member !== except) member.receive(broadcast);
  }

  private say(message: TopicMessage): void {
    const { connection, process, subject } = this.parts;
    if (!connection.nats.isClosed())
      connection.nats.publish(subject, encodeSent({ from: process, ...message }));
  }
}
