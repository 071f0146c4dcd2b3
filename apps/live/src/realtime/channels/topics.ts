// The topics that clients of this process have joined.

import { createHash, randomUUID } from 'node:crypto';
import { topicSubject } from '@practice/contracts';
import type { Connection } from '@practice/messaging';
import { Peers } from '../presence/peers.js';
import type { Broadcast } from '../protocol/message.js';
import { encodeSent } from './topic-message.js';
import { Topic } from './topic.js';
import type { Member } from './topic.js';

/** The address of a topic: two practices with topics of one name never meet. */
export interface TopicAddress {
  readonly therapistId: string;
  readonly name: string;
}

/** More changes of presence than a topic ever has. */
const CHANGES_OF_TOPIC = 2 ** 32;

export class Topics {
  private readonly bySubject = new Map<string, Topic>();
  private readonly process = randomUUID();
  private opened = 0;
  private readonly peers: Peers;

  constructor(private readonly connection: Connection) {
    this.peers = new Peers(connection, this.process, {
      gone: (process) => this.bySubject.forEach((topic) => topic.forget(process)),
      back: () => this.bySubject.forEach((topic) => topic.refresh()),
    });
  }

  start(): void {
    this.peers.start();
  }

  /** Adds a channel to a topic. Messages of other processes arrive once the result is there. */
  async join(address: TopicAddress, member: Member): Promise<Topic> {
    const subject = subjectOf(address);
    const topic = this.bySubject.get(subject) ?? this.open(subject);
    topic.members.add(member);
    await this.connection.nats.flush();
    return topic;
  }

  leave(address: TopicAddress, member: Member): void {
    const subject = subjectOf(address);
    const topic = this.bySubject.get(subject);
    topic?.members.delete(member);
    if (topic === undefined || topic.members.size > 0) return;
    topic.close();
    this.bySubject.delete(subject);
  }

  /** Broadcasts to a topic that no client of this process needs to have joined. */
  broadcast(address: TopicAddress, broadcast: Broadcast): void {
    const subject = subjectOf(address);
    const topic = this.bySubject.get(subject);
    if (topic !== undefined) topic.broadcast(broadcast, null);
    else
      this.connection.nats.publish(subject, encodeSent({ from: this.process, kind: 'broadcast', broadcast }));
  }

  close(): void {
    this.peers.stop();
    for (const topic of this.bySubject.values()) topic.close();
    this.bySubject.clear();
  }

  private open(subject: string): Topic {
    const { connection, process } = this;
    const heard = (from: string): void => this.peers.note(from);
    this.opened += 1;
    const topic = new Topic({ connection, subject, process, heard, base: this.opened * CHANGES_OF_TOPIC });
    this.bySubject.set(subject, topic);
    return topic;
  }
}

/** The name is hashed: as a token of a subject it could have other characters, and wildcards. */
const subjectOf = ({ therapistId, name }: TopicAddress): string =>
  topicSubject(therapistId, createHash('sha256').update(name).digest('base64url'));
