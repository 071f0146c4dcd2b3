// The requests to the services that own the logs. A reader of feeds never reads their tables.

import { randomUUID } from 'node:crypto';
import { EVENTS_OF_PRACTICE } from '@practice/contracts';
import type { PlaceInLog, PracticeEventsAnswer, PracticeEventsQuestion } from '@practice/contracts';
import { unavailable, type Requester } from '@practice/bus';
import type { LogPosition } from './cursor.js';
import { ownersEvent, type FeedEvent } from './feed-event.js';

export interface Part {
  readonly events: readonly FeedEvent[];
  /** The last position of the log. */
  readonly head: number;
  /** The place after which the part begins. */
  readonly from: LogPosition;
}

export class Owners {
  constructor(private readonly requester: Requester) {}

  /**
   * The events of a practice in one log after a place, in order. There may be fewer than `limit` if they are large. They begin before
   * the place if the log has been restored from an older copy since.
   * @throws {Rejection} PM503 when the owner cannot answer
   */
  async after(
    service: string,
    question: { readonly therapistId: string; readonly from: LogPosition; readonly limit: number },
  ): Promise<Part> {
    const { therapistId, limit } = question;
    const { since } = question.from;
    const from: LogPosition =
      since === undefined
        ? question.from
        : await this.ask<'at'>(service, { kind: 'at', therapistId, instant: since });
    const { position: after, epoch = 0 } = from;
    const place = { therapistId, after, epoch, limit };
    const { events, head } = await this.ask<'after'>(service, { kind: 'after', ...place });
    return { events: events.map(ownersEvent), head, from };
  }

  /** The last position of each practice in one log. A practice without events is left out. */
  async heads(service: string, therapistIds: readonly string[]): Promise<ReadonlyMap<string, PlaceInLog>> {
    const { heads } = await this.ask<'heads'>(service, { kind: 'heads', therapistIds });
    return new Map(Object.entries(heads));
  }

  private async ask<Kind extends PracticeEventsQuestion['kind']>(
    service: string,
    question: PracticeEventsQuestion,
  ): Promise<PracticeEventsAnswer[Kind]> {
    const envelope = { op: EVENTS_OF_PRACTICE, requestId: randomUUID() };
    const { status, body } = await this.requester.request(service, envelope, JSON.stringify(question));
    if (status !== 200) throw unavailable(service, `replied ${status}`);
    return JSON.parse(body.toString()) as PracticeEventsAnswer[Kind];
  }
}
