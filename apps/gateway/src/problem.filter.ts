// Turns every rejection and failure into a response in the error format of the API that was called.

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { KEY_REFUSED } from '@practice/authentication';
import { ASSISTANT_PATH } from '@practice/contracts';
import { internalError, type Problem, problemFor, Rejection } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { wrongMethod } from './authentication/auth-problems.js';
import { clearedCookies } from './authentication/session-cookies.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './gateway.config.js';
import { accountMethods, methodNotAllowed, methodsOfPath, noRoute } from './http/not-found.js';
import { httpProblem, problemResponse, refusalResponse } from './http/problem-response.js';
import { type HttpReply, type HttpRequest, isAuthCall, pathOf, routeOf } from './http/request.js';
import { type HttpResponse, Responses } from './http/responses.js';
import { challenged } from './mcp/scopes.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly responses: Responses,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl'>,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.getArgByIndex<HttpRequest>(0);
    this.responses.send(request, host.getArgByIndex<HttpReply>(1), this.answerTo(exception, request));
  }

  private answerTo(exception: unknown, request: HttpRequest): HttpResponse {
    if (isNoRoute(exception)) return noRouteResponse(request);
    const found = this.problemOf(exception, request);
    const problem =
      found.status === 401 && isAssistants(request) ? challenged(found, this.config.baseUrl) : found;
    return refusal(problem, request);
  }

  private problemOf(exception: unknown, request: HttpRequest): Problem {
    if (exception instanceof Rejection) return exception.problem;
    if (exception instanceof HttpException) return problemOfStatus(exception.getStatus());
    this.logger.error({ err: exception, requestId: request.id }, 'request failed');
    return internalError(request.id);
  }
}

/** The response for a problem. */
function refusal(problem: Problem, request: HttpRequest): HttpResponse {
  const answer = refusalResponse(problem, request);
  // Signing out clears a browser's cookies even if the session or the access token has already ended. Calls without the API key may come
  // from another site, so they clear nothing.
  const isOver = (problem.status === 401 && problem.code !== KEY_REFUSED) || problem.status === 403;
  const isSignOut = routeOf(request) === '/auth/v1/logout';
  return isOver && isSignOut ? { ...answer, ...clearedCookies(request) } : answer;
}

const isNoRoute = (exception: unknown): boolean =>
  exception instanceof HttpException && exception.getStatus() === 404;

const isAssistants = (request: HttpRequest): boolean => routeOf(request) === ASSISTANT_PATH;

/** No route for this method and path. Methods that Fastify does not know end here too, even for a path that exists. */
function noRouteResponse(request: HttpRequest): HttpResponse {
  const { method } = request;
  const path = pathOf(request.raw.url ?? '');
  const allow = accountMethods(path);
  if (allow !== undefined) return refusal(wrongMethod(method, allow), request);
  const methods = methodsOfPath(path);
  if (methods !== undefined && !methods.split(',').includes(method))
    return problemResponse(methodNotAllowed(method, methods));
  if (/^\/rest\/v1(\/|$)/.test(path)) {
    return problemResponse(methodNotAllowed(method, 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY'));
  }
  const problem = noRoute(path);
  return refusal(isAuthCall(request) ? { ...problem, code: 'not_found' } : problem, request);
}

/** Errors that Fastify raises while it reads a request. */
function problemOfStatus(status: number): Problem {
  if (status === 414) return httpProblem.urlTooLong;
  if (status === 415) return problemFor('PGRST102', { message: 'Content-Type not acceptable' });
  return { ...httpProblem.badRequest, status };
}
