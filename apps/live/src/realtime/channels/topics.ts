// The topics that clients of this process have joined.

import { createHash, randomUUID } from 'node:crypto';
import { topicSubject } from '@practice/contracts';
import type { LiveRuntime } from '../../endpoint.js';
import type { Allowances } from '../allowance.js';
import type { Addressed } from '../http-broadcast.js';
import { Peers } from '../presence/peers.js';
import { topicOf } from '../protocol/message.js';
import { encodeSent } from './topic-message.js';
import { costOf, type Member, sizeOf, Topic } from './topic.js';

/** The address of a topic. It contains the practice, so topics of two practices with the same name are separate. */
export interface TopicAddress {
  readonly therapistId: string;
  readonly name: string;
}

/** A number that is larger than the number of presence changes of any topic. */
const CHANGES_OF_TOPIC = 2 ** 32;

export class Topics {
  private readonly bySubject = new Map<string, Topic>();
  private readonly process = randomUUID();
  private opened = 0;
  private readonly peers: Peers;

  constructor(
    private readonly runtime: Pick<LiveRuntime, 'connection' | 'logger'>,
    private readonly allowances: Allowances,
  ) {
    this.peers = new Peers(runtime.connection, this.process, {
      gone: (process) => this.bySubject.forEach((topic) => topic.forget(process)),
      back: () => this.bySubject.forEach((topic) => topic.refresh()),
    });
  }

  /** Adds a channel to a topic. Messages of other processes arrive once the result has resolved. */
  async join(address: TopicAddress, member: Member): Promise<Topic> {
    const subject = subjectOf(address);
    const topic = this.bySubject.get(subject) ?? this.open(address, subject);
    topic.members.add(member);
    await this.runtime.connection.nats.flush();
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

  /**
   * Sends all broadcasts to topics of a practice, or none of them. No client of this process needs to have joined the topics.
   * @returns false if the practice may not send that much
   */
  broadcast(therapistId: string, all: readonly Addressed[]): boolean {
    const addressed = all.map(({ topic: name, broadcast }) => {
      const subject = subjectOf({ therapistId, name });
      return { subject, broadcast, topic: this.bySubject.get(subject) };
    });
    const cost = addressed.reduce(
      (sum, { broadcast, topic }) => sum + costOf(sizeOf(broadcast), topic?.members.size ?? 0),
      0,
    );
    const { connection } = this.runtime;
    if (!this.allowances.ofPractice(therapistId).broadcast.take(cost)) return false;
    for (const { subject, broadcast, topic } of addressed)
      if (topic !== undefined) topic.send(broadcast, null);
      else connection.nats.publish(subject, encodeSent({ from: this.process, kind: 'broadcast', broadcast }));
    return true;
  }

  close(): void {
    this.peers.stop();
    for (const topic of this.bySubject.values()) topic.close();
    this.bySubject.clear();
  }

  private open({ therapistId, name }: TopicAddress, subject: string): Topic {
    const { connection, logger } = this.runtime;
    this.opened += 1;
    const topic = new Topic({
      ...{ connection, subject, process: this.process, topic: topicOf(name) },
      allowance: this.allowances.ofPractice(therapistId),
      base: this.opened * CHANGES_OF_TOPIC,
      heard: (from) => this.peers.note(from),
      failed: (err) => logger.error({ err }, 'a topic failed'),
    });
    this.bySubject.set(subject, topic);
    return topic;
  }
}

/** The NATS subject of a topic. The name is hashed, because it may contain wildcards and characters that subjects cannot have. */
const subjectOf = ({ therapistId, name }: TopicAddress): string =>
  topicSubject(therapistId, createHash('sha256').update(name).digest('base64url'));
