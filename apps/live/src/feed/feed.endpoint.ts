// GET /events/v1/: the events of the caller's practice.

import type { ServerResponse } from 'node:http';
import { insufficientAal } from '@practice/authentication';
import type { Verified } from '@practice/authentication';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { readsOf } from '@practice/feed';
import type { PracticeFeed, Reader } from '@practice/feed';
import type { Endpoint, LiveRequest, LiveRuntime } from '../endpoint.js';
import { watchToken } from '../token-life.js';
import { EventStream } from './event-stream.js';
import { JSON_TYPE, readFeedRequest, STREAM_TYPE } from './feed-request.js';
import type { FeedRequest } from './feed-request.js';
import { nextPage, pageText, untilEvent } from './json-page.js';
import type { PageQuestion } from './json-page.js';
import { OpenStreams } from './open-streams.js';

const notAllowed: Problem = {
  status: 405,
  code: 'PGRST117',
  message: 'Unsupported HTTP method',
  headers: { Allow: 'OPTIONS,GET,HEAD' },
};
const noScope: Problem = {
  status: 403,
  code: '42501',
  message: 'permission denied: this role or token may read no events',
};

interface Asked extends FeedRequest {
  readonly request: LiveRequest;
  readonly verified: Verified;
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
    if (request.method !== 'GET' && request.method !== 'HEAD') reject(notAllowed);
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

  /** @throws {Rejection} when the caller is not known, or asks for something that the feed does not have */
  private async read(request: LiveRequest): Promise<Asked> {
    const { authentication } = this.runtime;
    authentication.requireApiKey(request.headers, request.raw.url ?? '');
    const verified = await authentication.verify(request);
    if (verified.needsSecondFactor === true) reject(insufficientAal);
    const { therapistId, practiceRole: role, scopes } = verified.identity;
    const reader: Reader = { role, scopes };
    if (readsOf(reader).length === 0) reject(noScope);
    const wanted = readFeedRequest(request);
    const { limit, selects } = wanted;
    const cursor = wanted.cursor === 'now' ? await this.feed.now(therapistId) : wanted.cursor;
    const question = { feed: this.feed, therapistId, reader, cursor, limit, selects };
    return { ...wanted, request, verified, question };
  }

  private stream({ request, verified, question }: Asked, response: ServerResponse): void {
    if (request.method === 'HEAD' || response.destroyed) {
      response.writeHead(200, { 'Content-Type': `${STREAM_TYPE}; charset=utf-8` }).end();
      return;
    }
    const end = (): void => stream.end();
    const leave = this.streams.enter(verified.identity, end);
    const stream = new EventStream(response, question);
    const stopWatching = this.watch({ request, verified }, end);
    response.once('close', () => {
      stopWatching();
      leave();
    });
  }

  private async page(asked: Asked, response: ServerResponse): Promise<string> {
    const { question, waitMs, request, verified } = asked;
    const page = await nextPage(question);
    if (page.texts.length > 0 || page.more || waitMs === 0 || request.method === 'HEAD')
      return pageText(page);
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    const leave = this.streams.enter(verified.identity, end);
    let isOver = false;
    const stopWatching = this.watch({ request, verified }, () => {
      isOver = true;
      end();
    });
    const timer = setTimeout(end, waitMs);
    response.once('close', end);
    try {
      const cursor = await untilEvent({ ...question, cursor: page.cursor }, waiting.signal);
      if (response.destroyed) return pageText(page);
      // The token may be good still, in another role.
      const { question: current } = isOver ? await this.read(request) : asked;
      return pageText(await nextPage({ ...current, cursor }));
    } finally {
      clearTimeout(timer);
      stopWatching();
      leave();
    }
  }

  private watch(of: Pick<Asked, 'request' | 'verified'>, onEnd: () => void): () => void {
    return watchToken({ ...of, authentication: this.runtime.authentication, onEnd });
  }
}
