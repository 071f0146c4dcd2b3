// The path of a request, from socket to reply: Received → Authenticated → Admitted → Parsed → Routed → Answered. Each
// stage adds members to the value of the request. A stage that refuses a request throws a `Rejection`, which
// `ProblemFilter` answers. `server.ts` and Nest's guards call the first three stages for every route, so no route can
// be reached without them; `RecordsController` calls the others.

import { type Authentication, insufficientAal, type Verified } from '@practice/authentication';
import { type Identity, type Payer, processTime, reject } from '@practice/core';
import { networkOf } from '@practice/limits';
import { TIMINGS } from '@practice/query';
import { foreignToken, refusalOf, sessionNeeded } from './authentication/auth-problems.js';
import { type Bodies, mostBytes } from './http/bodies.js';
import type { InFlight } from './http/capacity.js';
import type { EndpointOptions } from './http/endpoint.js';
import { beginSpan } from './http/observe.js';
import { bodyTooLarge, httpProblem, problemResponse, refusalResponse } from './http/problem-response.js';
import { advance, isAuthCall, isHealthCheck } from './http/request.js';
import type { Admitted, Authenticated, HttpReply, HttpRequest, Received } from './http/request.js';
import type { HttpResponse, Responses } from './http/responses.js';
import { Timings } from './http/timings.js';
import type { FairQueues } from './limits/fair-queues.js';
import { type Limits, overloadOf, refuseBeyond } from './limits/limits.js';
import { onlyReads } from './parse/function-call.js';
import { optionsResponse } from './parse/options.js';
import { type Call, parse as parseCall, requireScopes } from './parse/parse.js';
import { replyWithFilterNamed, responseOf, type Router, withChangeInBody } from './route/route.js';
import { envelopeOf } from './route/envelope.js';

/** A request whose resource or function is known. */
export interface Parsed extends Admitted {
  readonly identity: Identity;
  readonly call: Call;
  readonly target: string;
}

/** A request to which the services have replied. */
export interface Routed extends Parsed {
  readonly response: HttpResponse;
}

const MAX_URL_BYTES = 16 * 1024;
/** Headers with lists. Negotiation reads each element several times, even for callers without a token. */
const LISTS = ['accept', 'accept-encoding', 'prefer'] as const;
const MAX_LIST_BYTES = 4 * 1024;

// Received: the head of the request is there.

export const receive = (request: HttpRequest, reply: HttpReply): Received =>
  (request.stage = {
    request,
    reply,
    arrivedAt: performance.now(),
    kind: onlyReads(request) ? 'reads' : 'writes',
    span: beginSpan(request),
  });

/** The response to OPTIONS or to an invalid head, before routing and without an API key; null for other requests. */
export function earlyResponse({ request }: Received): HttpResponse | null {
  const { url = '', httpVersion } = request.raw;
  const most = mostBytes(request);
  if (Number(request.headers['content-length'] ?? 0) > most)
    return refusalResponse(bodyTooLarge(most), request);
  if (url.length > MAX_URL_BYTES) return problemResponse(httpProblem.urlTooLong);
  if (hasLongList(request)) return refusalResponse(httpProblem.headersTooLarge, request);
  if (!isHostValid(request.headers.host, httpVersion)) return problemResponse(httpProblem.badRequest);
  return request.method === 'OPTIONS' ? optionsResponse(request) : null;
}

const hasLongList = ({ headers }: HttpRequest): boolean =>
  LISTS.some((name) => (headers[name]?.length ?? 0) > MAX_LIST_BYTES);

/** HTTP/1.1 requires one Host header. Several of them are joined by a comma and a space. */
const isHostValid = (host: string | undefined, httpVersion: string): boolean =>
  host === undefined ? httpVersion !== '1.1' : !host.includes(', ');

// Authenticated: the API key, and the user behind the token, as the access level of the endpoint requires.

interface Access {
  readonly endpoint: EndpointOptions;
  /** Verifies an access token that is not in the cache. */
  readonly byStrategy: () => Promise<Verified>;
}

/** Authenticates the caller. A token in the cache is accepted synchronously. */
export function authenticate(
  received: Received,
  { endpoint, byStrategy }: Access,
  authentication: Authentication,
): Authenticated | Promise<Authenticated> {
  const { request } = received;
  const { access, isForAssistant = false } = endpoint;
  if (access !== 'open' && !isForAssistant)
    authentication.requireApiKey(request.headers, request.raw.url ?? '');
  if (access === 'open' || access === 'key') return advance(received, { identity: null, reader: null });
  const verified = isForAssistant
    ? authentication.verifyAssistant(request, byStrategy)
    : authentication.verify(request, byStrategy);
  if (!(verified instanceof Promise)) return letIn(received, verified, endpoint);
  return verified.then(
    (checked) => letIn(received, checked, endpoint),
    (error: unknown) => {
      throw isAuthCall(request) ? refusalOf(error, authentication.headerOf(request)) : error;
    },
  );
}

/**
 * Checks that a token reaches the endpoint. Personal tokens and tokens of OAuth clients manage no accounts (`parse` checks their scopes). A
 * token of another issuer reaches no account. A session that still has to pass a second factor reaches only the calls for that.
 */
function letIn(received: Received, verified: Verified, endpoint: EndpointOptions): Authenticated {
  const { identity, reader = null } = verified;
  if (verified.isForeign === true && isAuthCall(received.request)) reject(foreignToken);
  if (verified.needsSecondFactor === true && endpoint.isBeforeSecondFactor !== true) reject(insufficientAal);
  if (!reaches(identity, endpoint, isAuthCall(received.request))) reject(sessionNeeded);
  return advance(received, { identity, reader });
}

/** Whether the kind of token permits the call: tokens without a session manage no accounts. */
function reaches(
  { tokenId, oauthClientId }: Identity,
  { access, isForClients = false }: EndpointOptions,
  isOfAccounts: boolean,
): boolean {
  if (oauthClientId !== undefined && isOfAccounts) return isForClients;
  return tokenId === undefined || access !== 'session';
}

// Admitted: within the limits of its caller and of this process. Only then is its body read.

export interface Capacity {
  readonly limits: Limits;
  readonly bodies: Bodies;
  readonly inFlight: InFlight;
}

export async function admit(
  authenticated: Authenticated,
  endpoint: EndpointOptions,
  { limits, bodies, inFlight }: Capacity,
): Promise<Admitted> {
  const { request, reply } = authenticated;
  const quota = await quotaOf(authenticated, endpoint, limits);
  const counted = advance(authenticated, { quota });
  refuseBeyond(quota, isAuthCall(request));
  const timed = advance(counted, { timings: beginTimings(authenticated) });
  const reading = bodies.read(authenticated);
  const admitted = advance(timed, { body: reading === undefined ? undefined : await reading });
  // A request counts as in flight once it has arrived: while it is being sent, it has its own time limit.
  if (endpoint.isOpenEnded === true || inFlight.enter(reply.raw) || isHealthCheck(request)) return admitted;
  return reject(overloadOf(isAuthCall(request)));
}

const ASKS_FOR_TIMINGS = new RegExp(`(?:^|,)\\s*${TIMINGS}\\s*(?:,|$)`);

/**
 * Begins to record durations for callers who ask for them with `Prefer: metrics=timings`. Only requests for records of
 * authenticated callers have them: exact durations of sign-ins and refusals would help to guess (ADR 0027).
 */
function beginTimings({ request, identity, arrivedAt }: Authenticated): Timings | null {
  const { prefer } = request.headers;
  if (prefer === undefined || identity === null) return null;
  if (!ASKS_FOR_TIMINGS.test(String(prefer)) || request.raw.url?.startsWith('/rest/v1/') !== true)
    return null;
  const timings = new Timings(arrivedAt);
  timings.end('auth');
  return timings;
}

/** Counts a request towards the limit of its user or its address. A call without either, such as for the public keys, is not counted. */
async function quotaOf(authenticated: Authenticated, { limitOfAddress }: EndpointOptions, limits: Limits) {
  const { request, kind } = authenticated;
  const limit = typeof limitOfAddress === 'function' ? limitOfAddress(request) : limitOfAddress;
  const caller = limit === undefined ? userOf(authenticated) : networkOf(request.ip);
  return caller === undefined ? limits.untouched(kind) : limits.take(limit ?? kind, caller);
}

/**
 * Account calls are counted per session. So a flood with a stolen token cannot stop the owner, who signs in again, from
 * ending all other sessions. Calls of an OAuth client do not count towards the limit of the person.
 */
export const userOf = ({
  identity,
  request,
}: Pick<Authenticated, 'identity' | 'request'>): string | undefined =>
  identity?.oauthClientId === undefined
    ? ((isAuthCall(request) ? identity?.sessionId : undefined) ?? identity?.userId)
    : `${identity.userId} ${identity.oauthClientId}`;

// Parsed: a read, a write or a call of a function that the caller may make.

export async function parse(admitted: Admitted): Promise<Parsed> {
  admitted.timings?.end('receive');
  const call = await processTime.read(payerOf(admitted), admitted.body?.length ?? 0, parseCall(admitted));
  const target = call.kind === 'function' ? `rpc/${call.definition.name}` : call.resource.name;
  // Routes for records are for users, so the caller has an identity.
  const parsed = advance(admitted, { identity: admitted.identity as Identity, call, target });
  requireScopes(parsed.identity, call);
  return parsed;
}

/** The practice whose time a request takes, as long as its caller waits. */
const payerOf = ({ identity, reply: { raw } }: Admitted): Payer => ({
  therapistId: identity?.therapistId ?? '',
  gone: {
    get aborted() {
      return raw.destroyed;
    },
  },
});

// Routed: the request waits in the queue of its practice; then the services that own the records reply.

export interface Services {
  readonly queues: FairQueues;
  readonly router: Router;
}

/** @returns undefined if the caller has disconnected while the request waited */
export async function route(parsed: Parsed, { queues, router }: Services): Promise<Routed | undefined> {
  const { request, reply, timings, call } = parsed;
  const envelope = envelopeOf(parsed, call);
  timings?.end('parse');
  const turn = queues.enter(envelope);
  if (turn !== undefined) await turn;
  timings?.end('queue');
  try {
    if (reply.raw.destroyed) return undefined;
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) router.giveUp(request);
    });
    const replied = await router.route(call, envelope);
    const response = responseOf(replyWithFilterNamed(call, withChangeInBody(call, replied)));
    timings?.end('service');
    return advance(parsed, { response });
  } finally {
    queues.leave(envelope);
  }
}

// Answered: `Responses` writes the response with its common headers, and the line in the log.

export const answer = ({ request, reply, response }: Routed, responses: Responses): void =>
  responses.send(request, reply, response);
