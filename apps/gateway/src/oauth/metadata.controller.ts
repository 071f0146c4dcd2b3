// The metadata of the OAuth server and of the resources, at the addresses that clients look for them.

import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { allScopes, ASSISTANT_PATH } from '@practice/contracts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { type HttpReply, type HttpRequest, queryOf } from '../http/request.js';
import { JSON_TYPE, Responses } from '../http/responses.js';
import { AuthCalls } from './auth-calls.js';

const CACHED = 'public, max-age=300';

@Controller()
export class OauthMetadataController {
  constructor(
    private readonly calls: AuthCalls,
    private readonly responses: Responses,
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
  async server(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { status, json } = await this.calls.call(request, { route: 'oauthMetadata', method: 'GET' });
    this.send(request, reply, { status, body: json });
  }

  @Get('.well-known/oauth-protected-resource')
  @Endpoint({ access: 'open' })
  api(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    this.resource(request, reply, this.config.baseUrl);
  }

  @Get('.well-known/oauth-protected-resource/mcp')
  @Endpoint({ access: 'open' })
  mcp(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    this.resource(request, reply, `${this.config.baseUrl}${ASSISTANT_PATH}`);
  }

  /** The address that a device shows. */
  @Get('auth/v1/oauth/device')
  @Endpoint({ access: 'open' })
  device(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    const query = queryOf(request.raw.url ?? '');
    const Location = `${this.config.baseUrl}/oauth/device${query === '' ? '' : `?${query}`}`;
    this.responses.send(request, reply, { status: 303, headers: { Location } });
  }

  private resource(request: HttpRequest, reply: HttpReply, resource: string): void {
    const servers = [`${this.config.baseUrl}/auth/v1`];
    this.send(request, reply, {
      status: 200,
      body: {
        resource,
        authorization_servers: servers,
        scopes_supported: allScopes,
        bearer_methods_supported: ['header'],
      },
    });
  }

  private send(
    request: HttpRequest,
    reply: HttpReply,
    { status, body }: { status: number; body: object },
  ): void {
    const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHED };
    this.responses.send(request, reply, { status, headers, body: JSON.stringify(body) });
  }
}
