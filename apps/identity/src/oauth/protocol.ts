// Calls of the OAuth protocol: the library answers each as an HTTP request, without a socket.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { allScopes } from '@practice/contracts';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import {
  type AccountCall,
  AccountCommand,
  type AccountHandler,
  AccountQuery,
  type AccountReply,
} from '../calls/call.js';
import { describedText, UnprotectedRedirect } from './described-client.js';
import { OauthProvider, paths, PERSONAL_SCOPES } from './provider.js';

/** Headers of the library that belong to the protocol; cookies never leave the process. */
const HEADERS = ['Location', 'WWW-Authenticate', 'Cache-Control', 'Pragma'];

@Injectable()
export class OauthHttp {
  constructor(private readonly provider: OauthProvider) {}

  /** @param request with a path below the issuer */
  async request(request: InjectOptions): Promise<Response> {
    const provider = await this.provider.current();
    const { host, protocol, pathname } = new URL(provider.issuer);
    const answer = provider.callback();
    const dispatch = (message: IncomingMessage, response: ServerResponse): void => {
      // The library derives the path of the issuer from `originalUrl`.
      Object.assign(message, { originalUrl: pathname + (message.url ?? '') });
      void answer(message, response);
    };
    const headers = { ...request.headers, host, 'x-forwarded-proto': protocol.slice(0, -1) };
    return inject(dispatch as never, { ...request, headers });
  }

  /** Follows an address of the library itself, as the browser of the person would with these cookies. */
  async follow(url: string, cookies: Readonly<Record<string, string>>): Promise<Response> {
    const { issuer } = await this.provider.current();
    return this.request({ method: 'GET', url: url.slice(issuer.length), cookies });
  }

  async reply(request: InjectOptions): Promise<AccountReply> {
    const { statusCode: status, headers, body } = await this.request(request);
    const shown = HEADERS.flatMap((name) =>
      headers[name.toLowerCase()] === undefined ? [] : [[name, String(headers[name.toLowerCase()])]],
    );
    return {
      status,
      headers: Object.fromEntries(shown) as Record<string, string>,
      body: bodyOf(status, body),
    };
  }
}

/** The JSON in a body of the library. Drops the text of redirects. Adds an error for switched-off endpoints, where the library has none. */
function bodyOf(status: number, body: string): object | undefined {
  try {
    return JSON.parse(body) as object;
  } catch {
    return status === NOT_FOUND ? errorOf('invalid_request', 'this endpoint is switched off') : undefined;
  }
}

const errorOf = (error: string, description: string): object => ({ error, error_description: description });

const [BAD_REQUEST, NOT_FOUND] = [400, 404];
/** RFC 7591, 2. */
const registrationDefaults = { token_endpoint_auth_method: 'client_secret_basic' };

export class CallProtocol extends AccountCommand {}

@CommandHandler(CallProtocol)
export class CallProtocolHandler implements AccountHandler<CallProtocol> {
  constructor(private readonly http: OauthHttp) {}

  async execute({ call }: CallProtocol): Promise<AccountReply> {
    if (`/${call.protocol?.path}` !== paths.registration) return this.forward(call, call.body);
    try {
      return await this.forward(call, describedText(call.body.toString(), registrationDefaults));
    } catch (error) {
      if (!(error instanceof UnprotectedRedirect)) throw error;
      return { status: BAD_REQUEST, body: errorOf('invalid_redirect_uri', error.message) };
    }
  }

  private forward(call: AccountCall, payload: string | Buffer): Promise<AccountReply> {
    const { path = '', contentType, authorization } = call.protocol ?? {};
    const query = call.parameters.toString();
    return this.http.reply({
      method: call.method as 'GET' | 'POST',
      url: `/${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(call.method === 'POST' && { payload }),
    });
  }
}

/** Metadata of the server that the library lacks. */
const overridden = {
  scopes_supported: [...PERSONAL_SCOPES, ...allScopes],
  response_modes_supported: ['query'],
};

export class ReadMetadata extends AccountQuery {}

@QueryHandler(ReadMetadata)
export class ReadMetadataHandler implements AccountHandler<ReadMetadata> {
  constructor(private readonly http: OauthHttp) {}

  async execute(): Promise<AccountReply> {
    const reply = await this.http.reply({ method: 'GET', url: '/.well-known/openid-configuration' });
    const body = { ...reply.body, ...overridden };
    return { ...reply, body, headers: { 'Cache-Control': 'public, max-age=300' } };
  }
}
