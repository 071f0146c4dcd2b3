// Passes requests on to live processes, whose responses may last until the caller disconnects. The gateway adds its
// common headers. It keeps no state, so a caller that was disconnected can reconnect through any gateway.

import { createHash } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Problem, problemFor, reject } from '@practice/core';
import type { Logger } from '@practice/process';
import { traceparentFor } from '../http/observe.js';
import { type HttpRequest, withoutHost } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';

/** The headers of a caller that live processes read. */
const PASSED_ON = [
  'authorization',
  'cookie',
  'apikey',
  'accept',
  'last-event-id',
  'if-none-match',
  'content-type',
];
/** The headers of a live process that callers get. */
const PASSED_BACK = [
  'content-type',
  'content-length',
  'content-disposition',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'proxy-status',
  'allow',
];
/** A live process sends something more often than this. A longer silence means that the connection is lost. */
const SILENCE_MS = 90_000;

export const liveUnavailable: Problem = problemFor('PM503', {
  message: 'The live processes are unavailable',
  headers: { 'Retry-After': '1' },
});

/** The process had the request when the connection was lost. Only broadcasts write. */
const unknownBroadcast = problemFor('PM504', {
  message: 'The outcome of this broadcast is unknown. If you repeat it, it may be received twice.',
  hint: null,
});

export class LiveProxy {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly open = new Set<ClientRequest>();

  constructor(
    private readonly processes: LiveProcesses,
    private readonly logger: Logger,
  ) {}

  /**
   * Passes a request on, with its body if that was read.
   * @param path the path and query for the live process; by default that of the request
   * @returns the response; undefined if the caller has disconnected
   * @throws {Rejection} PM503 when no live process answers; PM504 when it may have carried out a write
   */
  async forward(
    request: HttpRequest,
    path = withoutHost(request.raw.url ?? '/'),
  ): Promise<HttpResponse | undefined> {
    const answer = await this.ask(request, path);
    if (answer === undefined) return undefined;
    const headers = picked(PASSED_BACK, answer.headers);
    return { status: answer.statusCode ?? 502, headers, body: answer };
  }

  /** Ends all responses, so that the process can stop. */
  close(): void {
    for (const one of this.open) one.destroy();
    this.agent.destroy();
  }

  /** @returns undefined if the caller has disconnected */
  private async ask(request: HttpRequest, path: string): Promise<IncomingMessage | undefined> {
    // The requests of a practice, or to a link, reach the same process while it runs.
    const origins = this.processes.inOrderOf(request.stage.identity?.therapistId ?? path);
    for (const origin of origins) {
      // A response that is closed already has no further `close` event, which would end the wait.
      if (request.stage.reply.raw.destroyed) return undefined;
      try {
        return await this.askOne(`${origin}${path}`, request);
      } catch (error) {
        if (request.stage.reply.raw.destroyed) return undefined;
        this.processes.failed(origin);
        this.logger.warn({ err: error, origin, requestId: request.id }, 'a live process did not answer');
        if (!mayRepeat(request, error)) return reject(unknownBroadcast);
      }
    }
    return reject(liveUnavailable);
  }

  private askOne(url: string, request: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, fail) => {
      const { method } = request;
      const { reply, body } = request.stage;
      const outgoing = send(url, {
        method,
        headers: headersFor(request),
        agent: this.agent,
        timeout: SILENCE_MS,
      });
      const leave = (): void => void outgoing.destroy();
      this.open.add(outgoing);
      reply.raw.once('close', leave);
      outgoing
        .once('response', resolve)
        .once('error', fail)
        .once('timeout', leave)
        .once('close', () => {
          this.open.delete(outgoing);
          reply.raw.off('close', leave);
        });
      outgoing.end(body);
    });
  }
}

function headersFor(request: HttpRequest): OutgoingHttpHeaders {
  const traceparent = traceparentFor(request.stage);
  return {
    'x-request-id': request.id,
    'x-forwarded-for': request.ip,
    ...(traceparent !== undefined && { traceparent }),
    ...picked(PASSED_ON, request.headers),
  };
}

/** The headers with these names that have a single value. */
function picked(names: readonly string[], headers: IncomingHttpHeaders): Record<string, string> {
  const found = names.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(found.filter((one): one is [string, string] => typeof one[1] === 'string'));
}

/** Whether another process may get a request too: a read always, a write only if the first process did not accept the connection. */
const mayRepeat = ({ method }: HttpRequest, error: unknown): boolean =>
  method === 'GET' || method === 'HEAD' || isUnsent(error as NodeJS.ErrnoException);

/** Whether there was no connection on which the request could be sent. Errors of several addresses have no `syscall`. */
const isUnsent = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNREFUSED' || syscall === 'connect' || syscall === 'getaddrinfo';

/** A process that has failed is tried after all others for this long. */
const REST_MS = 1000;

/** The live processes. */
export class LiveProcesses {
  private readonly restsUntil = new Map<string, number>();

  /** @param origins such as `http://127.0.0.1:8080` */
  constructor(private readonly origins: readonly string[]) {}

  /**
   * All processes in the order in which to try them for a key, such as a practice: the same order while the processes
   * are the same (rendezvous hashing), and last the processes that failed lately.
   */
  inOrderOf(key: string, now: number = Date.now()): readonly string[] {
    const weighed = this.origins.map((origin) => {
      const weight = createHash('sha256').update(`${key} ${origin}`).digest('hex');
      return { origin, weight, isResting: (this.restsUntil.get(origin) ?? 0) > now };
    });
    weighed.sort(
      (one, other) => Number(one.isResting) - Number(other.isResting) || (one.weight < other.weight ? -1 : 1),
    );
    return weighed.map(({ origin }) => origin);
  }

  failed(origin: string, now: number = Date.now()): void {
    this.restsUntil.set(origin, now + REST_MS);
  }
}
