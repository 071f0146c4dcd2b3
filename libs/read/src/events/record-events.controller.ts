import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { EVENTS_OF_RECORD, resourcesOf } from '@practice/contracts';
import type { RecordedEvent } from '@practice/core';
import { eventColumns, openedEvents, type Statement } from '@practice/log';
import { jsonReply, toCloudEvent, type FrameRequest, type InPractice, type Reply } from '@practice/bus';
import { publishable } from '@practice/resource';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';

/** The events of a record between two versions, both excluded. */
export interface WantedEvents {
  readonly aggregate: string;
  readonly streamId: string;
  readonly after: number;
  readonly before: number;
}

/** The maximum number of events in one reply. */
const BATCH = 200;

/** Answers with the events of a record in their published form, for a service that can no longer get them from the stream. */
@Controller()
export class RecordEventsController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly crossTenant: CrossTenantConnection,
  ) {}

  @MessagePattern(EVENTS_OF_RECORD)
  async events({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const { service } = this.database;
    const wanted = JSON.parse(body.toString()) as WantedEvents;
    const rows = await this.crossTenant.run(selectEvents(service, envelope.therapistId, wanted));
    const events = rows.map(([row]) =>
      toCloudEvent(service, publishable(resourcesOf(service), JSON.parse(String(row)) as RecordedEvent)),
    );
    return jsonReply({ events });
  }
}

const selectEvents = (
  service: string,
  therapistId: string,
  { aggregate, streamId, after, before }: WantedEvents,
): Statement => ({
  text: `SELECT to_json(found) FROM (
  SELECT ${eventColumns} FROM ${openedEvents(service)} AS e
  WHERE e.therapist_id = $1 AND e.stream_id = $2 AND e.aggregate = $3 AND e.version > $4 AND e.version < $5
  ORDER BY e.version LIMIT ${BATCH}
) AS found`,
  values: [therapistId, streamId, aggregate, after, before],
});
