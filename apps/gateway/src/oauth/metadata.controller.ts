// The metadata of the OAuth server and of the resources, at the addresses where clients look for it.

import { Controller, Get, Inject, Req } from '@nestjs/common';
import { unavailable } from '@practice/bus';
import { allScopes, ASSISTANT_PATH } from '@practice/contracts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import { AuthCalls } from '../accounts/auth-calls.js';

const CACHED = 'public, max-age=300';

@Controller()
export class OauthMetadataController {
  constructor(
    private readonly calls: AuthCalls,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl'>,
  ) {}

  /** The second address has the path of the issuer inserted (RFC 8414, 3.1). */
  @Get([
    '.well-known/oauth-authorization-server',
    '.well-known/oauth-authorization-server/auth/v1',
    '.well-known/openid-configuration',
    '.well-known/openid-configuration/auth/v1',
  ])
  @Endpoint({ access: 'open' })
  async server(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { status, json } = await this.calls.call(request, { route: 'oauthMetadata', method: 'GET' });
    // Caches keep a document for minutes, so a failure must not be one.
    if (status !== 200) throw unavailable('identity', 'is unavailable');
    return document(json);
  }

  @Get('.well-known/oauth-protected-resource')
  @Endpoint({ access: 'open' })
  api(): HttpResponse {
    return this.resource(this.config.baseUrl);
  }

  @Get('.well-known/oauth-protected-resource/mcp')
  @Endpoint({ access: 'open' })
  mcp(): HttpResponse {
    return this.resource(`${this.config.baseUrl}${ASSISTANT_PATH}`);
  }

  /** Redirects from the address that a device shows to the page. */
  @Get('auth/v1/oauth/device')
  @Endpoint({ access: 'open' })
  device(@Req() { raw }: HttpRequest): HttpResponse {
    const query = queryOf(raw.url ?? '');
    const Location = `${this.config.baseUrl}/oauth/device${query === '' ? '' : `?${query}`}`;
    return { status: 303, headers: { Location } };
  }

  private resource(resource: string): HttpResponse {
    return document({
      resource,
      authorization_servers: [`${this.config.baseUrl}/auth/v1`],
      scopes_supported: allScopes,
      bearer_methods_supported: ['header'],
    });
  }
}

const document = (body: object): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHED },
  body: JSON.stringify(body),
});
