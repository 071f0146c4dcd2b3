// Fetches events that the stream has lost. They come from the service that owns their record.

import { EVENTS_OF_RECORD } from '@practice/contracts';
import { readCloudEvent, subjectOf } from '@practice/bus';
import type { PublishedEvent, InPractice, Requester } from '@practice/bus';
import type { Logger, Troubles } from '@practice/process';
import type { WantedEvents } from '@practice/read';

/** The bus delivers a failed event again within 30 s, unless another process gets it now or it has become a dead letter. */
const STAYS_MS = 60_000;

export class MissingEvents {
  constructor(
    private readonly requester: Requester,
    private readonly tools: { readonly logger: Pick<Logger, 'warn'>; readonly troubles: Troubles },
  ) {}

  /**
   * Applies the events of a record that come after a version and before an event, and then the event itself.
   * @param after the version that the mirror has
   * @throws {Error} when the owner is unavailable or does not have these events: the event must be delivered again
   */
  async before(
    event: PublishedEvent,
    after: number,
    apply: (event: PublishedEvent) => Promise<void>,
  ): Promise<void> {
    const { service, aggregate, streamId, version } = event;
    const { logger, troubles } = this.tools;
    const key = `${aggregate} ${streamId}`;
    troubles.set(key, {
      place: `follower of ${service}`,
      problem: `the stream has lost events; they are fetched from ${service}`,
    });
    logger.warn(
      { owner: service, aggregate, streamId, after, before: version },
      'events are missing in the stream',
    );
    try {
      await this.applyBetween(event, after, apply);
      await apply(event);
      troubles.set(key, null);
    } catch (error) {
      setTimeout(() => troubles.set(key, null), STAYS_MS).unref();
      throw error;
    }
  }

  private async applyBetween(
    event: PublishedEvent,
    after: number,
    apply: (event: PublishedEvent) => Promise<void>,
  ): Promise<void> {
    const { service, aggregate, streamId, version } = event;
    for (let at = after; at < version - 1;) {
      const events = await this.ask(event, { aggregate, streamId, after: at, before: version });
      if (events.length === 0)
        throw new Error(`${service} has no event ${at + 1} of ${aggregate} ${streamId}`);
      for (const one of events) await apply(one);
      at = events.at(-1)?.version ?? version;
    }
  }

  private async ask(
    { service, therapistId }: PublishedEvent,
    wanted: WantedEvents,
  ): Promise<PublishedEvent[]> {
    const requestId = `events of ${wanted.aggregate}`;
    const envelope = { op: EVENTS_OF_RECORD, therapistId, requestId };
    const reply = await this.requester
      .request<InPractice>(service, envelope, JSON.stringify(wanted))
      .catch((cause: unknown) => {
        const problem = `event ${wanted.before} of ${wanted.aggregate} came before ${wanted.after + 1}`;
        throw new Error(`${problem}, and ${service} is unavailable`, { cause });
      });
    if (reply.status !== 200) throw new Error(`${service} did not send the missing events (${reply.status})`);
    const { events } = JSON.parse(reply.body.toString()) as { events: { readonly type: string }[] };
    return events.map((event) => {
      const type = event.type.split('.')[2] ?? '';
      const subject = subjectOf({ service, therapistId, aggregate: wanted.aggregate, type });
      return readCloudEvent(subject, Buffer.from(JSON.stringify(event)));
    });
  }
}
