import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { EVENTS_OF_PRACTICE, resourcesOf } from '@practice/contracts';
import type { PlaceInLog, PracticeEventsQuestion } from '@practice/contracts';
import type { RecordedEvent } from '@practice/core';
import { epochOf, eventColumns, logTable, openedEvents, type Statement } from '@practice/log';
import { jsonReply, toCloudEvent, type FrameRequest, type Reply } from '@practice/bus';
import { publishable } from '@practice/resource';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';

/** The maximum number of events in one reply, and the maximum number of characters if there is more than one event. */
const MOST = 200;
const FULL = 1_000_000;

type Question<Kind extends PracticeEventsQuestion['kind']> = Extract<
  PracticeEventsQuestion,
  { readonly kind: Kind }
>;

/** Answers questions about the log of this service, for the readers of feeds. */
@Controller()
export class PracticeEventsController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly crossTenant: CrossTenantConnection,
  ) {}

  @MessagePattern(EVENTS_OF_PRACTICE)
  async answer({ envelope: { deadline }, body }: FrameRequest): Promise<Reply> {
    const question = JSON.parse(body.toString()) as PracticeEventsQuestion;
    return jsonReply(await this.answerTo(question, deadline));
  }

  private answerTo(question: PracticeEventsQuestion, deadline: number): Promise<object> {
    if (question.kind === 'after') return this.after(question, deadline);
    return question.kind === 'heads' ? this.heads(question, deadline) : this.at(question, deadline);
  }

  /** The events as they were published. */
  private async after(question: Question<'after'>, deadline: number): Promise<object> {
    const { service } = this.database;
    const rows = await this.crossTenant.run(selectAfter(service, question), deadline);
    const [first] = rows;
    const texts = rows.flatMap(([event]) => (event == null ? [] : [String(event)]));
    let size = 0;
    const fitting = texts.filter((text) => {
      const isFirst = size === 0;
      size += text.length;
      return isFirst || size <= FULL;
    });
    const events = fitting.map((text) => {
      const event = publishable(resourcesOf(service), JSON.parse(text) as RecordedEvent);
      return [event.aggregate, toCloudEvent(service, event)];
    });
    return { events, head: Number(first?.[1] ?? 0) };
  }

  private async heads({ therapistIds }: Question<'heads'>, deadline: number): Promise<object> {
    const { service } = this.database;
    const statement = {
      text: `SELECT e.therapist_id, e.position, ${epochOf(service)} FROM ${logTable(service, 'practice_head')} AS e
WHERE e.therapist_id = ANY ($1::uuid[])`,
      values: [therapistIds],
    };
    const rows = await this.crossTenant.run(statement, deadline);
    return {
      heads: Object.fromEntries(rows.map(([id, position, epoch]) => [String(id), placeOf(position, epoch)])),
    };
  }

  private async at({ therapistId, instant }: Question<'at'>, deadline: number): Promise<object> {
    const { service } = this.database;
    const statement = {
      text: `SELECT e.position, ${epochOf(service)} FROM (SELECT $1::uuid AS therapist_id, coalesce(
  (SELECT min(position) - 1 FROM ${logTable(service, 'events')} WHERE therapist_id = $1 AND recorded_at >= $2),
  (SELECT position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1), 0) AS position) AS e`,
      values: [therapistId, instant],
    };
    const [row] = await this.crossTenant.run(statement, deadline);
    return placeOf(row?.[0] ?? 0, row?.[1]);
  }
}

const placeOf = (position: unknown, epoch: unknown): PlaceInLog => ({
  position: Number(position),
  ...(epoch != null && { epoch: Number(epoch) }),
});

/** The events after a position. If a later epoch than the reader's replaced events, it begins at the last position before these. */
const selectAfter = (
  service: string,
  { therapistId, after, epoch, limit }: Question<'after'>,
): Statement => ({
  text: `SELECT to_json(found) AS event, head.position FROM ${logTable(service, 'practice_head')} AS head
CROSS JOIN LATERAL (SELECT least($2::bigint, (SELECT min(r.after) FROM ${logTable(service, 'restorations')} AS r
  WHERE r.therapist_id = $1 AND r.epoch > $4)) AS after) AS begin LEFT JOIN LATERAL (
  SELECT ${eventColumns}, ${epochOf(service)} AS epoch FROM ${openedEvents(service)} AS e
  WHERE e.therapist_id = $1 AND e.position > begin.after ORDER BY e.position LIMIT $3
) AS found ON true WHERE head.therapist_id = $1`,
  values: [therapistId, after, Math.min(limit, MOST), epoch],
});
