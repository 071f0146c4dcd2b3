import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { CALENDAR_PAGE, CALENDAR_STATE, practiceSettings } from '@practice/contracts';
import type { CalendarQuestion, CalendarReader, CalendarState } from '@practice/contracts';
import { asSystem, logTable } from '@practice/log';
import { jsonReply, type FrameRequest, type Reply } from '@practice/bus';
import { PreparedRead } from '@practice/query';
import { Read } from '@practice/read';
import { tableOf, TenantDatabase } from '@practice/storage';
import { readOf } from './calendar-query.js';

/** Answers requests of live processes, which make calendars. */
@Controller()
export class CalendarController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CALENDAR_STATE)
  async state({ envelope: { therapistId, deadline } }: FrameRequest<CalendarReader>): Promise<Reply> {
    const statement = { text: selectState, values: [therapistId] };
    const rows = await this.database.reads.run(asSystem(therapistId), statement, { deadline });
    const [[version, zone] = []] = rows;
    return jsonReply({ version: version ?? '', zone: zone ?? 'UTC' } satisfies CalendarState);
  }

  /** Reads a page of appointments, in the role of the creator of the link. */
  @MessagePattern(CALENDAR_PAGE)
  async page({ envelope, body }: FrameRequest<CalendarReader>): Promise<Reply> {
    const { therapistId, userId, practiceRole, requestId, deadline } = envelope;
    const prepared = new PreparedRead(readOf(JSON.parse(body.toString()) as CalendarQuestion));
    const reader = { therapistId, userId, practiceRole, requestId, deadline };
    const response = await this.queries.execute(new Read(prepared, reader));
    return { status: response.status, headers: {}, body: response.body ?? '' };
  }
}

/** The version of a calendar. The hash of the log identifies its events, even after the log was restored from an older copy. */
const selectState = `SELECT encode(head.hash, 'base64') || ' ' || head.erasures, settings.time_zone
FROM ${logTable('scheduling', 'practice_head')} AS head
LEFT JOIN ${tableOf(practiceSettings)} AS settings ON settings.therapist_id = head.therapist_id
WHERE head.therapist_id = $1`;
