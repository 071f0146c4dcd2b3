// GET /events/v1/: the events of the caller's practice.

import type { ServerResponse } from 'node:http';
import { type Identity, reject } from '@practice/core';
import { type PracticeFeed, type Reader, readsOf } from '@practice/feed';
import { gauge } from '@practice/metrics';
import { Caller } from '../caller.js';
import type { Endpoint, LiveRequest, LiveRuntime } from '../endpoint.js';
import { wrongMethod } from '../server.js';
import { EventStream, nextPage, type PageQuestion, pageText, untilEvent } from './event-stream.js';
import { type FeedRequest, JSON_TYPE, readFeedRequest, STREAM_TYPE } from './feed-request.js';

const MOST_OF_MEMBER = 10;
const RETRY_SECONDS = '30';

const streams = gauge('practice_feed_streams');

/**
 * Counts the open streams of each member of a practice in this process. Every gateway sends all streams of a practice to the same
 * process, so the limit holds for any number of processes. While a process is unavailable, another process counts its practices.
 */
class OpenStreams {
  private readonly byMember = new Map<string, number>();
  private readonly ends = new Set<() => void>();

  /**
   * Counts a stream, or a request that waits.
   * @param end ends the stream or request when the process stops
   * @returns a function that removes it from the count
   * @throws {Rejection} PM004 when the member has too many streams
   */
  enter({ userId, therapistId }: Pick<Identity, 'userId' | 'therapistId'>, end: () => void): () => void {
    const member = `${userId} ${therapistId}`;
    const count = this.byMember.get(member) ?? 0;
    if (count >= MOST_OF_MEMBER)
      reject('PM004', {
        message: `A member may have ${MOST_OF_MEMBER} open streams of events`,
        headers: { 'Retry-After': RETRY_SECONDS },
      });
    this.byMember.set(member, count + 1);
    this.ends.add(end);
    streams.set(this.ends.size);
    return () => {
      if (!this.ends.delete(end)) return;
      streams.set(this.ends.size);
      const left = (this.byMember.get(member) ?? 1) - 1;
      if (left > 0) this.byMember.set(member, left);
      else this.byMember.delete(member);
    };
  }

  endAll(): void {
    for (const end of this.ends) end();
  }
}

interface Asked extends FeedRequest {
  readonly request: LiveRequest;
  readonly caller: Caller;
  readonly question: PageQuestion;
}

export class FeedEndpoint implements Endpoint {
  readonly prefix = '/events/v1';
  private readonly streams = new OpenStreams();

  constructor(
    private readonly runtime: Pick<LiveRuntime, 'authentication'>,
    private readonly feed: PracticeFeed,
  ) {}

  async handle(request: LiveRequest, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') reject(wrongMethod('OPTIONS,GET,HEAD'));
    const asked = await this.read(request);
    if (asked.type === STREAM_TYPE) return this.stream(asked, response);
    const text = await this.page(asked, response);
    response.writeHead(200, {
      'Content-Type': `${JSON_TYPE}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  }

  close(): void {
    this.streams.endAll();
    this.feed.close();
  }

  /** @throws {Rejection} when the caller is not known or may read no events, or a parameter is wrong */
  private async read(request: LiveRequest): Promise<Asked> {
    const { authentication } = this.runtime;
    authentication.requireApiKey(request.headers, request.raw.url ?? '');
    const caller = await Caller.of(authentication, request);
    const { therapistId, practiceRole: role, scopes } = caller.identity;
    const reader: Reader = { role, scopes };
    if (readsOf(reader).length === 0)
      reject('42501', { message: 'permission denied: this role or token may read no events' });
    const wanted = readFeedRequest(request);
    const { limit, selects } = wanted;
    const cursor = wanted.cursor === 'now' ? await this.feed.now(therapistId) : wanted.cursor;
    const question = { feed: this.feed, therapistId, reader, cursor, limit, selects };
    return { ...wanted, request, caller, question };
  }

  private stream(asked: Asked, response: ServerResponse): void {
    const { request, caller, question } = asked;
    if (request.method === 'HEAD' || response.destroyed) {
      response.writeHead(200, { 'Content-Type': `${STREAM_TYPE}; charset=utf-8` }).end();
      return;
    }
    const end = (): void => stream.end();
    const leave = this.streams.enter(caller.identity, end);
    const stream = new EventStream(response, question);
    caller.watch({ ended: end, changed: end, failed: end });
    response.once('close', () => {
      caller.stop();
      leave();
    });
  }

  private async page(asked: Asked, response: ServerResponse): Promise<string> {
    const { question, waitMs, request, caller } = asked;
    const page = await nextPage(question);
    const isAnswer = page.texts.length > 0 || page.more || waitMs === 0 || request.method === 'HEAD';
    if (isAnswer || response.destroyed) return pageText(page);
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    const leave = this.streams.enter(caller.identity, end);
    let isOver = false;
    const endWithToken = (): void => {
      isOver = true;
      end();
    };
    caller.watch({ ended: endWithToken, changed: endWithToken, failed: endWithToken });
    const timer = setTimeout(end, waitMs);
    response.once('close', end);
    try {
      const cursor = await untilEvent({ ...question, cursor: page.cursor }, waiting.signal);
      if (response.destroyed) return pageText(page);
      // The token may still be valid, with another role.
      const { question: current } = isOver ? await this.read(request) : asked;
      return pageText(await nextPage({ ...current, cursor }));
    } finally {
      clearTimeout(timer);
      caller.stop();
      leave();
    }
  }
}
