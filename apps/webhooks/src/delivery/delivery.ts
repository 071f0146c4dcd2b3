// The delivery to one claimed webhook: a ping if one was requested, then the events after its cursor, one by one.

import { randomUUID } from 'node:crypto';
import type { CloudEvent } from '@practice/bus';
import { asSystem, type Statement, storeAtOnce, type TextRow } from '@practice/log';
import type { TenantDatabase } from '@practice/storage';
import type { RecordTransactions } from '@practice/write';
import { type Sender, type Sent, signedHeaders } from '../sending/sender.js';
import type { WebhookSecrets } from '../webhook/webhook-effect.js';
import { failing } from '../webhook/webhook.js';
import { addAttempt, type AttemptRow, observeAttempt } from './attempts.js';
import { type Claim, endPing, giveBack, isHeld, moveOn, putOff, waitUntil } from './claims.js';
import type { EventSource, FoundEvent } from './event-source.js';
import { selectState, stateOf, type WebhookState } from './webhook-state.js';

/** The event of `rpc/test_webhook`. No log contains it. @param id of the event */
const pingOf = (
  id: string,
  { therapistId, id: webhookId }: { readonly therapistId: string; readonly id: string },
): CloudEvent => ({
  specversion: '1.0',
  id,
  source: '/practice/webhooks',
  type: 'practice.webhooks.Ping.v1',
  subject: webhookId,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data: {},
  therapistid: therapistId,
  position: 0,
  streamversion: 0,
  correlationid: id,
});

// The schedule of retries.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt. After one more failure, the webhook is failing. */
const RETRY_AFTER_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];

/**
 * When an event is sent again; null if it is not sent again.
 * @param failures the number of failed attempts at the event, including this one
 * @param now milliseconds since the epoch
 */
export function retryAt(failures: number, now: number): Date | null {
  const wait = RETRY_AFTER_MS[failures - 1];
  return wait === undefined ? null : new Date(now + wait);
}

interface DeliveryParts {
  readonly database: TenantDatabase;
  readonly records: RecordTransactions;
  readonly source: EventSource;
  readonly secrets: WebhookSecrets;
  readonly sender: Sender;
}

/** A claim that has taken this long makes room for another webhook. */
const TURN_MS = 30_000;

/** The wait after an error of the source or the database. */
const PUT_OFF_MS = 2_000;

/** How a step ends: the next step may follow, the webhook must be given back, or the claim is lost. */
type Outcome = 'goes on' | 'ends' | 'left';

export class Delivery {
  private readonly begunAt = Date.now();
  /** Failed attempts at the next event. */
  private failures = 0;
  /** The stored cursor. */
  private cursor: string | null = null;

  constructor(
    private readonly claim: Claim,
    private readonly parts: DeliveryParts,
    private readonly stop: AbortSignal,
  ) {}

  /** Delivers until there are no more events, an attempt fails, or the turn is over. @throws the errors of the source and the database */
  async run(): Promise<void> {
    const { database } = this.parts;
    const [row] = await database.reads.run(asSystem(this.claim.therapistId), selectState(this.claim));
    // The webhook was deleted in the meantime.
    if (row === undefined) return;
    const state = stateOf(row);
    this.failures = state.failures;
    this.cursor = state.cursor;
    const pinged = state.pingId === null ? 'goes on' : await this.ping(state, state.pingId);
    if (pinged === 'left') return;
    const mayGoOn = state.isActive && state.isDue && !this.isOver();
    const outcome = mayGoOn ? await this.events(state) : 'ends';
    if (outcome !== 'left') await this.store([giveBack(this.claim, outcome === 'complete')]);
  }

  /** Gives the webhook back after an error. */
  async putOff(): Promise<void> {
    await this.store([putOff(this.claim, PUT_OFF_MS)]);
  }

  private async ping(state: WebhookState, pingId: string): Promise<Outcome> {
    const event = pingOf(pingId, this.claim);
    const row = await this.attempt(state, { event, type: 'Ping' }, { attempt: 1, retry: () => null });
    if (this.isCutOff(row)) return 'ends';
    return this.note([addAttempt(row), endPing(this.claim, pingId)]);
  }

  private async events(state: WebhookState): Promise<Outcome | 'complete'> {
    const { source } = this.parts;
    const { therapistId } = this.claim;
    let after = this.cursor ?? source.at(state.startedAt);
    for (;;) {
      const page = await source.pageAfter(therapistId, after);
      const delivered = await this.deliver(page.events, state);
      const outcome = delivered === 'goes on' ? await this.moveOn(page.cursor) : delivered;
      if (outcome !== 'goes on') return outcome;
      if (!page.isWhole) throw new Error('a service did not return its events');
      if (!page.hasMore) return 'complete';
      after = page.cursor;
    }
  }

  private async deliver(events: readonly FoundEvent[], state: WebhookState): Promise<Outcome> {
    for (const found of events) {
      if (state.eventTypes?.includes(found.type) === false) continue;
      if (this.isOver()) return 'ends';
      const outcome = await this.deliverOne(found, state);
      if (outcome !== 'goes on') return outcome;
    }
    return this.isOver() ? 'ends' : 'goes on';
  }

  private async deliverOne(found: FoundEvent, state: WebhookState): Promise<Outcome> {
    const attempt = this.failures + 1;
    const row = await this.attempt(state, found, { attempt, retry: () => retryAt(attempt, Date.now()) });
    if (row.sent.error !== null) return this.failed(row);
    this.failures = 0;
    return this.moveOn(found.cursor, [addAttempt(row)]);
  }

  private async moveOn(cursor: string, also: readonly Statement[] = []): Promise<Outcome> {
    if (cursor === this.cursor && also.length === 0) return 'goes on';
    this.cursor = cursor;
    return this.note([...also, moveOn(this.claim, cursor)]);
  }

  private isOver(): boolean {
    return this.stop.aborted || Date.now() - this.begunAt > TURN_MS;
  }

  private async attempt(
    { url, sealedSecrets }: WebhookState,
    { event, type }: Pick<FoundEvent, 'event' | 'type'>,
    { attempt, retry }: { readonly attempt: number; readonly retry: () => Date | null },
  ): Promise<AttemptRow> {
    const { therapistId, id } = this.claim;
    const at = new Date();
    const sent = await this.post(url, event, sealedSecrets);
    const nextAttemptAt = sent.error === null ? null : retry();
    const row = { therapistId, webhookId: id, eventId: event.id, type, at, attempt, sent, nextAttemptAt };
    if (!this.isCutOff(row)) observeAttempt(row, event);
    return row;
  }

  private post(url: string, event: CloudEvent, sealed: readonly string[]): Promise<Sent> {
    const body = JSON.stringify(event);
    const keys = sealed.map((one) => this.parts.secrets.open(one, this.claim.id));
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...signedHeaders({ id: event.id, body, now: Date.now(), keys }),
    };
    return this.parts.sender.send({ url, body, headers }, this.stop);
  }

  /** Whether this process has ended the attempt. The attempt does not count then. */
  private isCutOff({ sent }: AttemptRow): boolean {
    return sent.error !== null && this.stop.aborted;
  }

  /** Handles a failed attempt: the webhook waits, or becomes failing after the last attempt. */
  private async failed(row: AttemptRow): Promise<Outcome> {
    if (this.isCutOff(row)) return 'ends';
    const { attempt, nextAttemptAt } = row;
    const outcome = await this.note([addAttempt(row), waitUntil(this.claim, attempt, nextAttemptAt)]);
    if (outcome === 'left') return 'left';
    if (nextAttemptAt === null) await this.fail();
    return 'ends';
  }

  /** Makes the webhook failing after the last attempt. The cursor does not move, so no event is lost. */
  private async fail(): Promise<void> {
    const { therapistId, id } = this.claim;
    await this.parts.records.run({ therapistId, requestId: randomUUID() }, async (transaction) => {
      // Its URL may have changed since the attempt was noted.
      if (await isHeld(transaction.client, this.claim))
        await transaction.changeBy(failing, id, { status: 'failing' });
    });
  }

  /** Stores the result of a step. The last statement returns whether the webhook is active, or no row if the claim is lost. */
  private async note(statements: readonly Statement[]): Promise<Outcome> {
    const [row] = await this.store(statements);
    if (row === undefined) return 'left';
    return row[0] === 't' ? 'goes on' : 'ends';
  }

  /** Runs the statements in one transaction. @returns the rows of the last statement */
  private store(statements: readonly Statement[]): Promise<TextRow[]> {
    return storeAtOnce(this.parts.database.writes, [this.claim.therapistId], statements);
  }
}
