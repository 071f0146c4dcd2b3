// The assistant's endpoint: messages of the Model Context Protocol, each a POST that is answered with JSON.

import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { Controller, Inject, Post, Req } from '@nestjs/common';
import { allSteps, jsonIn, type Problem, problemFor, reject } from '@practice/core';
import { limits as limitsOfQueries } from '@practice/query';
import { LOGGER, type Logger } from '@practice/process';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { problemResponse } from '../http/problem-response.js';
import type { Admitted, HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { FairQueues } from '../limits/fair-queues.js';
import { Limits } from '../limits/limits.js';
import { Router } from '../route/route.js';
import { challenged } from './scopes.js';
import { InnerCalls } from './inner-calls.js';
import { ProposalStore } from './proposal-store.js';
import { serverFor } from './server.js';
import type { Session } from './session.js';

/** The header fields that the protocol reads. */
const FIELDS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

@Controller()
export class AssistantController {
  private readonly handler: McpHttpHandler;

  constructor(
    readonly queues: FairQueues,
    readonly router: Router,
    readonly limits: Limits,
    private readonly store: ProposalStore,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl' | 'corsOrigins'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.handler = createMcpHandler(
      ({ authInfo }) => serverFor(authInfo?.extra?.['session'] as Session),
      // No list changes while a client is connected, so there is nothing to subscribe to.
      {
        maxSubscriptions: 0,
        onerror: (error) => logger.debug({ name: error.name }, 'a message was refused'),
      },
    );
  }

  @Post('mcp')
  @Endpoint({ access: 'user', isForAssistant: true })
  async handle(@Req() request: HttpRequest): Promise<HttpResponse> {
    this.checkOrigin(request);
    const stage = request.stage as Admitted;
    const key = request.headers['idempotency-key'];
    const session: Session = {
      ...{ calls: new InnerCalls(stage, this), store: this.store, requestId: request.id },
      baseUrl: this.config.baseUrl,
      ...(typeof key === 'string' && { key }),
    };
    const parsedBody = messageIn(stage.body);
    const response = await this.handler.fetch(this.webRequest(request), {
      parsedBody,
      authInfo: { token: '', clientId: '', scopes: [], extra: { session } },
    });
    // The response may be there before the tool has ended; its body is not.
    const body = Buffer.from(await response.arrayBuffer());
    if (session.defect !== undefined) throw session.defect;
    if (session.lacks !== undefined) {
      const { lacks } = session;
      return problemResponse(challenged(insufficient(lacks), this.config.baseUrl, lacks));
    }
    return {
      status: response.status,
      headers: { 'Content-Type': response.headers.get('content-type') ?? 'application/json' },
      body,
    };
  }

  /** @throws {Rejection} 403 for a page of another origin: the protocol requires this, although CORS already hides the response from the page */
  private checkOrigin({ headers: { origin } }: HttpRequest): void {
    const { baseUrl, corsOrigins } = this.config;
    const isTrusted = origin === undefined || corsOrigins.length === 0 || corsOrigins.includes(origin);
    if (!isTrusted && origin !== new URL(baseUrl).origin) reject(foreignOrigin);
  }

  private webRequest({ headers }: HttpRequest): Request {
    const given = FIELDS.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const request = new Request(`${this.config.baseUrl}/mcp`, {
      method: 'POST',
      headers: given as [string, string][],
    });
    // Nothing aborts the request. A signal, to which the library would listen, takes a quarter of the library's time.
    return Object.defineProperty(request, 'signal', { value: undefined });
  }
}

const { bodyDepth: depth } = limitsOfQueries;
/** Values beyond this would take the library, which cannot pause, longer than other practices may wait. */
const MOST_VALUES = 5_000;

/** @throws {Rejection} for a body that is not one message: a batch would count as one request */
function messageIn(body: Buffer = Buffer.alloc(0)): object {
  let message: unknown;
  try {
    message = allSteps(jsonIn(body.toString(), { depth, values: MOST_VALUES, rounds: true }));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return reject('PM400', { message: error.message });
  }
  return typeof message === 'object' && message !== null && !Array.isArray(message)
    ? message
    : reject('PM400', { message: 'The body must be one message, not a batch' });
}

const foreignOrigin = problemFor('42501', {
  message: 'permission denied: pages of this origin may not call',
  hint: 'CORS_ORIGINS of the server has the origins that may.',
});

const insufficient = (scope: string): Problem =>
  problemFor('42501', { message: `permission denied: this access lacks the scope ${scope}` });
