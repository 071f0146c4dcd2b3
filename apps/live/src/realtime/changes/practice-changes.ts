// The changes of records in one practice. An event on the bus names a change, and the owner of the record is asked for the record
// before and after the change. Each service gets one request at a time, so changes of a service stay in their order.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription as BusSubscription } from '@nats-io/transport-node';
import { eventIn, isPublishedAgain, subjectOf } from '@practice/bus';
import type { InPractice, PublishedEvent } from '@practice/bus';
import { catalog, isSameChange, MOST_ASKED_CHANGES, RECORD_CHANGES } from '@practice/contracts';
import type { AskedChange, ToldChange } from '@practice/contracts';
import { resourceOfEvent } from '@practice/feed';
import type { Resource, Row } from '@practice/resource';
import type { LiveRuntime } from '../../endpoint.js';
import { type Allowance, type Allowances, single } from '../allowance.js';
import type { RecordChange } from './subscription.js';

type Runtime = Pick<LiveRuntime, 'connection' | 'requester' | 'logger'>;

/** A channel that listens to changes. */
export interface ChangeListener {
  /** Whether the channel listens to changes of a resource. */
  readonly hears: (resource: Resource) => boolean;
  /** Sends a change. @returns the bytes that were sent */
  readonly changed: (change: RecordChange) => Generator<void, number>;
  /** Called when changes were missed. @param whose their owner: `the clients service` */
  readonly missed: (whose: string) => void;
}

const ATTEMPTS = 3;
const RETRY_MS = 300;
/** The number of changes whose events are remembered. A change has few events, which follow each other. */
const REMEMBERED = 1_000;
/** The maximum number of changes that wait for the owner of their records. Beyond it, the service cannot keep up. */
const MAX_WAITING = 10_000;

/** The changes of an answer, and the changes that did not fit into it. */
interface Answer {
  readonly told: readonly ToldChange[];
  readonly rest: AskedChange[];
}

class PracticeChanges {
  readonly listeners = new Set<ChangeListener>();
  private readonly waiting = new Map<string, AskedChange[]>();
  private readonly heard = new Set<string>();
  private readonly subscription: BusSubscription;
  private isClosed = false;

  constructor(
    private readonly therapistId: string,
    private readonly runtime: Runtime,
    private readonly allowance: Allowance,
  ) {
    this.subscription = runtime.connection.nats.subscribe(subjectOf({ therapistId }), {
      callback: (error, message) => {
        if (error === null && !isPublishedAgain(message)) this.hearSoon(message.subject, message.data);
      },
    });
  }

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    if (!this.runtime.connection.nats.isClosed()) this.subscription.unsubscribe();
  }

  /** @param service the owner of the missed changes; undefined for all services */
  tellMissed(service: string | undefined): void {
    const whose = service === undefined ? 'all services' : `the ${service} service`;
    for (const listener of this.listeners) listener.missed(whose);
  }

  /** Handles an event in the turn of the practice. */
  private hearSoon(subject: string, data: Uint8Array): void {
    const heard = this.allowance.queue(data, () => {
      if (!this.isClosed) this.hear(subject, data);
    });
    if (heard === undefined) return this.tellMissed(subject.split('.')[2]);
    heard.catch((err: unknown) => this.runtime.logger.error({ err }, 'an event could not be received'));
  }

  private hear(subject: string, data: Uint8Array): void {
    const event = eventIn(subject, data);
    const resource = event && resourceOfEvent(event);
    if (event === undefined || resource === undefined || !this.isNew(event)) return;
    if (![...this.listeners].some((listener) => listener.hears(resource))) return;
    const { service, streamId: id, version } = event;
    this.add(service, { resource: resource.name, id, version });
  }

  /** Whether the event is the first event of its change and record. Events may be published again. */
  private isNew({ service, position, aggregate, streamId, metadata }: PublishedEvent): boolean {
    const key = `${metadata.changeId ?? `${service}:${position}`} ${aggregate} ${streamId}`;
    if (this.heard.has(key)) return false;
    this.heard.add(key);
    if (this.heard.size > REMEMBERED) this.heard.delete(this.heard.values().next().value as string);
    return true;
  }

  private add(service: string, asked: AskedChange): void {
    const queue = this.waiting.get(service);
    if (queue === undefined) {
      this.waiting.set(service, [asked]);
      this.askAll(service).catch((err: unknown) => {
        this.runtime.logger.error({ err, service }, 'changes of records were not sent');
        this.waiting.delete(service);
        this.tellMissed(service);
      });
    } else if (queue.length < MAX_WAITING) queue.push(asked);
    else {
      queue.length = 0;
      this.tellMissed(service);
    }
  }

  private async askAll(service: string): Promise<void> {
    // Changes of one group of writes arrive in one turn of the event loop.
    await Promise.resolve();
    for (;;) {
      let asked = this.waiting.get(service)?.splice(0, MOST_ASKED_CHANGES) ?? [];
      if (asked.length === 0) return void this.waiting.delete(service);
      while (asked.length > 0 && !this.isClosed) asked = await this.ask(service, asked);
    }
  }

  /** @returns the changes that were not answered yet */
  private async ask(service: string, asked: readonly AskedChange[]): Promise<AskedChange[]> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const answer = await this.answerTo(service, asked).catch((err: unknown) => {
        this.runtime.logger.warn({ err, service }, 'changes of records could not be requested');
        return undefined;
      });
      if (answer !== undefined) {
        await this.tell(answer.told);
        return answer.rest;
      }
      await pause(RETRY_MS * attempt);
    }
    this.tellMissed(service);
    return [];
  }

  private async answerTo(service: string, asked: readonly AskedChange[]): Promise<Answer> {
    const envelope = { op: RECORD_CHANGES, therapistId: this.therapistId, requestId: randomUUID() };
    const { status, body } = await this.runtime.requester.request<InPractice>(
      service,
      envelope,
      JSON.stringify(asked),
    );
    if (status !== 200 && status !== 206) throw new Error(`the request for changes was answered ${status}`);
    const told = await this.allowance.inTurn(single(() => JSON.parse(body.toString()) as ToldChange[]));
    if (status === 200) return { told, rest: [] };
    const end = told.at(-1);
    const last = asked.findIndex((one) => end !== undefined && isSameChange(one, end));
    if (last < 0) throw new Error('a part of an answer has none of the changes');
    return { told, rest: asked.slice(last + 1) };
  }

  /** Sends the changes to the listeners. While the practice has sent more than its share, the next change waits. */
  private async tell(told: readonly ToldChange[]): Promise<void> {
    for (const { resource: name, before, after, at } of told) {
      const resource = catalog.resources.get(name) as Resource;
      const change: RecordChange = { resource, before: before as Row | null, after: after as Row | null, at };
      const bytes = await this.allowance.inTurn(this.telling(change));
      const wait = this.allowance.changes.borrow(bytes);
      if (wait > 0) await pause(wait);
      if (this.isClosed) return;
    }
  }

  private *telling(change: RecordChange): Generator<void, number> {
    let bytes = 0;
    for (const listener of this.listeners) {
      bytes += yield* listener.changed(change);
      yield;
    }
    return bytes;
  }
}

// The changes of records in all practices that clients of this process listen to.

export class Changes {
  private readonly practices = new Map<string, PracticeChanges>();

  constructor(
    private readonly runtime: Runtime,
    private readonly allowances: Allowances,
  ) {
    const { connection } = runtime;
    const tellMissed = (): void => this.practices.forEach((practice) => practice.tellMissed(undefined));
    // Changes that were published while the connection was lost do not arrive. After the flush, all later ones do.
    connection.onUp(() => void connection.nats.flush().then(tellMissed, () => undefined));
  }

  /** Adds a listener. It gets all changes after the result has resolved. */
  async listen(therapistId: string, listener: ChangeListener): Promise<void> {
    const known = this.practices.get(therapistId) ?? this.open(therapistId);
    known.listeners.add(listener);
    await this.runtime.connection.nats.flush();
  }

  leave(therapistId: string, listener: ChangeListener): void {
    const practice = this.practices.get(therapistId);
    practice?.listeners.delete(listener);
    if (practice === undefined || practice.listeners.size > 0) return;
    practice.close();
    this.practices.delete(therapistId);
  }

  private open(therapistId: string): PracticeChanges {
    const practice = new PracticeChanges(therapistId, this.runtime, this.allowances.ofPractice(therapistId));
    this.practices.set(therapistId, practice);
    return practice;
  }
}
