import { createHash } from 'node:crypto';
import { CALENDAR_FILE, CALENDAR_LINK, CALENDAR_PAGE, CALENDAR_STATE } from '@practice/contracts';
import type {
  CalendarLinkEnvelope,
  CalendarQuestion,
  CalendarReader,
  CalendarRow,
  CalendarState,
  KnownCalendarLink,
} from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Problem, OutgoingEnvelope } from '@practice/core';
import type { Reply, Requester } from '@practice/bus';

const OK = 200;

/** The questions of one read of a calendar to the services that know links and appointments. */
export class CalendarSource {
  constructor(
    private readonly requester: Requester,
    readonly requestId: string,
  ) {}

  /**
   * The link of a file, with the role that its maker has now; null if it leads to nothing. A malformed secret is asked for like an
   * unknown one, so the response and its time are the same.
   * @throws {Rejection} when the service is unavailable
   */
  async link(file: string, address: string): Promise<KnownCalendarLink | null> {
    const secret = file.endsWith(CALENDAR_FILE) ? file.slice(0, -CALENDAR_FILE.length) : '';
    const hash = createHash('sha256').update(secret).digest('base64url');
    const envelope: CalendarLinkEnvelope = { hash, address };
    return this.ask('identity', { op: CALENDAR_LINK, ...envelope }, '');
  }

  /** @throws {Rejection} as `link` */
  state(reader: CalendarReader): Promise<CalendarState> {
    return this.ask('scheduling', { op: CALENDAR_STATE, ...readerOf(reader) }, '');
  }

  /** @throws {Rejection} when the service refuses or is unavailable */
  page(reader: CalendarReader, question: CalendarQuestion): Promise<CalendarRow[]> {
    return this.ask('scheduling', { op: CALENDAR_PAGE, ...readerOf(reader) }, JSON.stringify(question));
  }

  private async ask<Answer>(
    service: string,
    envelope: Omit<OutgoingEnvelope, 'requestId'>,
    body: string,
  ): Promise<Answer> {
    const { requestId } = this;
    return answerIn(await this.requester.request(service, { ...envelope, requestId }, body)) as Answer;
  }
}

const readerOf = ({ therapistId, userId, practiceRole }: CalendarReader): CalendarReader => ({
  ...{ therapistId, userId, practiceRole },
});

function answerIn({ status, body }: Reply<Buffer>): unknown {
  const answer = JSON.parse(body.toString()) as unknown;
  if (status !== OK) throw new Rejection({ ...(answer as Problem), status });
  return answer;
}
