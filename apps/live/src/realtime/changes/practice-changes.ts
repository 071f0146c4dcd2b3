// The changes of records in one practice. An event on the bus names a change; the owner of the record is asked for the record before
// and after it. There is one question at a time to each service, so changes of a service stay in their order.

import { randomUUID } from 'node:crypto';
import type { Subscription as BusSubscription } from '@nats-io/transport-node';
import { MOST_ASKED_CHANGES, RECORD_CHANGES } from '@practice/contracts';
import type { AskedChange, ToldChange } from '@practice/contracts';
import { EnvelopeError, readCloudEvent, subjectOf } from '@practice/events';
import type { PublishedEvent } from '@practice/events';
import type { Connection, InPractice, Requester } from '@practice/messaging';
import type { Logger } from '@practice/process';
import type { Catalog, Resource, Row } from '@practice/resource';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordChange } from './record-change.js';

export interface ChangesParts {
  readonly connection: Connection;
  readonly requester: Requester;
  readonly catalog: Catalog;
  readonly logger: Logger;
}

/** A channel, as far as it listens to changes. */
export interface ChangeListener {
  /** Whether the channel listens to changes of a resource. */
  readonly hears: (resource: Resource) => boolean;
  readonly changed: (change: RecordChange) => void;
  /** Changes of a service were missed. */
  readonly missed: (service: string) => void;
}

const ATTEMPTS = 3;
const RETRY_MS = 300;
/** Changes whose events have been heard: a change has few events, which follow each other. */
const REMEMBERED = 1_000;
/** Changes that wait for the owner of their records. Beyond it the service cannot keep up. */
const MAX_WAITING = 10_000;

export class PracticeChanges {
  readonly listeners = new Set<ChangeListener>();
  private readonly waiting = new Map<string, AskedChange[]>();
  private readonly heard = new Set<string>();
  private readonly subscription: BusSubscription;

  constructor(
    private readonly therapistId: string,
    private readonly parts: ChangesParts,
  ) {
    this.subscription = parts.connection.nats.subscribe(eventsOf(therapistId), {
      callback: (error, { subject, data }) => {
        if (error === null) this.hear(subject, data);
      },
    });
  }

  close(): void {
    this.waiting.clear();
    if (!this.parts.connection.nats.isClosed()) this.subscription.unsubscribe();
  }

  private hear(subject: string, data: Uint8Array): void {
    const event = this.read(subject, data);
    const resource = event === undefined ? undefined : this.resourceOf(event);
    if (event === undefined || resource === undefined || !this.isNew(event)) return;
    if (![...this.listeners].some((listener) => listener.hears(resource))) return;
    const { service, streamId: id, version } = event;
    this.add(service, { resource: resource.name, id, version });
  }

  private read(subject: string, data: Uint8Array): PublishedEvent | undefined {
    try {
      return readCloudEvent(subject, data);
    } catch (err) {
      if (!(err instanceof EnvelopeError)) throw err;
      this.parts.logger.warn({ err }, 'a message of the bus is no event');
      return undefined;
    }
  }

  private resourceOf({ service, aggregate }: PublishedEvent): Resource | undefined {
    return [...this.parts.catalog.resources.values()].find(
      (resource) => resource.service === service && resource.aggregate === aggregate,
    );
  }

  /** Whether the event is the first one of its change and record that is heard. Events may be published again. */
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
      void this.askAll(service);
    } else if (queue.length < MAX_WAITING) queue.push(asked);
    else {
      queue.length = 0;
      for (const listener of this.listeners) listener.missed(service);
    }
  }

  private async askAll(service: string): Promise<void> {
    // Changes of one group of writes arrive in one turn of the event loop.
    await Promise.resolve();
    for (;;) {
      const asked = this.waiting.get(service)?.splice(0, MOST_ASKED_CHANGES) ?? [];
      if (asked.length === 0) return void this.waiting.delete(service);
      await this.ask(service, asked);
    }
  }

  private async ask(service: string, asked: readonly AskedChange[]): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const told = await this.told(service, asked).catch((err: unknown) => {
        this.parts.logger.warn({ err, service }, 'changes of records could not be asked for');
        return undefined;
      });
      if (told !== undefined) return this.tell(told);
      await pause(RETRY_MS * attempt);
    }
    for (const listener of this.listeners) listener.missed(service);
  }

  private async told(service: string, asked: readonly AskedChange[]): Promise<ToldChange[]> {
    const envelope = { op: RECORD_CHANGES, therapistId: this.therapistId, requestId: randomUUID() };
    const { status, body } = await this.parts.requester.request<InPractice>(
      service,
      envelope,
      JSON.stringify(asked),
    );
    if (status !== 200) throw new Error(`the question was answered ${status}`);
    return JSON.parse(body.toString()) as ToldChange[];
  }

  private tell(told: readonly ToldChange[]): void {
    for (const { resource: name, before, after, at } of told) {
      const resource = this.parts.catalog.resources.get(name) as Resource;
      const change: RecordChange = { resource, before: before as Row | null, after: after as Row | null, at };
      for (const listener of this.listeners) listener.changed(change);
    }
  }
}

/** The subjects of all events of a practice. */
const eventsOf = (therapistId: string): string => subjectOf({ therapistId });
