// The calls of the auth API. Each is forwarded to the identity service, which implements the rules.

import { Controller, Req, RequestMapping, RequestMethod } from '@nestjs/common';
import { refuseForms } from '@practice/authentication';
import { accountRoutes } from '@practice/contracts';
import type { AccountEnvelope, AccountRoute, AccountRouteName, OauthRequest } from '@practice/contracts';
import {
  clearedCookies,
  refreshCookieOf,
  sessionInCookies,
  wantsCookies,
} from '../authentication/session-cookies.js';
import { Endpoint, type EndpointOptions } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { accountWords } from './account-calls.js';
import { accountOperation } from './account-operation.js';
import { AuthCalls } from './auth-calls.js';

type Route = AccountRoute & { readonly name: AccountRouteName };

@Controller('auth/v1')
export class AccountController {
  constructor(private readonly calls: AuthCalls) {}

  async forward(route: Route, request: HttpRequest): Promise<HttpResponse> {
    if (route.hasEffect === true && request.headers.authorization === undefined) refuseForms(request);
    const forwarded = this.calls.forward(request, callOf(route, request), bodyOf(route, request));
    const { body, ...answer } = await forwarded;
    return withCookies(route, request, { ...answer, body: body.toString() });
  }
}

/** Adds a handler for each route, with the metadata that decorators would set. Guards and the OpenAPI document read it. */
accountRoutes.forEach((route: Route, index) => {
  const { prototype } = AccountController;
  const name = `${route.name}${index}`;
  const handler = function (this: AccountController, request: HttpRequest): Promise<HttpResponse> {
    return this.forward(route, request);
  };
  const descriptor = { value: handler, configurable: true };
  Object.defineProperty(prototype, name, descriptor);
  const words = accountWords[`${route.method.toLowerCase()} ${route.path}`];
  const endpoint = Endpoint({
    ...route,
    ...(route.isLimitedByAddress === true && { limitOfAddress: limitOf(route) }),
    operation: words && accountOperation(words, route),
  });
  const mapping = RequestMapping({ path: route.path, method: RequestMethod[route.method] });
  for (const decorate of [mapping, endpoint]) decorate(prototype, name, descriptor);
  Req()(prototype, name, 0);
});

/**
 * Codes and tokens of OAuth cannot be guessed, and a device asks for its token every five seconds. Refresh tokens cannot be guessed
 * either, and a browser whose refresh is refused ends its session.
 */
function limitOf(route: Route): NonNullable<EndpointOptions['limitOfAddress']> {
  return route.isProtocol === true ? 'writes' : (request) => (isRefresh(route, request) ? 'reads' : 'auth');
}

const isRefresh = ({ name }: Route, { raw }: HttpRequest): boolean =>
  name === 'token' && new URLSearchParams(queryOf(raw.url ?? '')).get('grant_type') === 'refresh_token';

function callOf(route: Route, request: HttpRequest): Omit<AccountEnvelope, 'address'> {
  const { headers, method, raw, params } = request;
  const { identity = null } = request.stage;
  const version = headers['x-supabase-api-version'];
  return {
    identity,
    route: route.name,
    method,
    id: (params as { id?: string }).id,
    query: queryOf(raw.url ?? ''),
    ...(route.isProtocol === true && { protocol: protocolOf(route, request) }),
    apiVersion: typeof version === 'string' ? version : undefined,
    isForCookies: route.opensSession === true && wantsCookies(request),
  };
}

/** The fields of an OAuth request. An app sends its own credentials in `Authorization`. */
const protocolOf = ({ path }: Route, { headers }: HttpRequest): OauthRequest => ({
  path,
  contentType: headers['content-type'],
  authorization: headers.authorization,
});

/** The body as sent, or a body with the refresh token from the cookie: a browser with that cookie sends no token in the body. */
function bodyOf(route: Route, request: HttpRequest): string | Uint8Array {
  const cookie = isRefresh(route, request) ? refreshCookieOf(request) : undefined;
  if (cookie !== undefined) return JSON.stringify({ refresh_token: cookie });
  return request.stage.body ?? '';
}

function withCookies(
  route: Route,
  request: HttpRequest,
  response: HttpResponse & { readonly body: string },
): HttpResponse {
  if (route.name === 'signOut' && response.status === 204) return { ...response, ...clearedCookies(request) };
  const isOpened = route.opensSession === true && response.status === 200;
  return isOpened && wantsCookies(request) ? sessionInCookies(response) : response;
}
