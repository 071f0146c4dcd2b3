import { Controller, Get, Inject, Req } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { acceptedType, type HttpRequest, queryOf } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import { escaped, pageOf } from './pages.js';

const ABOUT =
  'The data API of a therapy practice: appointments, clients, session notes, services, invoices, payments and expenses.';
const KEY =
  'Calls need an API key in the `apikey` header, except with a token of an app. `npm start` prints the key and writes it to `run.json` in its data folder.';

const home = pageOf('home.html', { about: ABOUT, key: KEY.replaceAll(/`([^`]+)`/g, '<code>$1</code>') });

/** The same information for programs. */
const HOME_JSON = JSON.stringify({
  name: 'Practice API',
  description: ABOUT,
  docs: 'docs',
  openapi: 'docs/openapi.json',
  health: 'readyz',
  rest: 'rest/v1/',
  auth: 'auth/v1/',
  apikey: KEY,
});

/** `/`: a page for browsers, JSON for everyone else. With an invitation, the page accepts it. */
@Controller()
export class HomeController {
  private readonly invitation;

  constructor(@Inject(GATEWAY_CONFIG) { anonKey }: Pick<GatewayConfig, 'anonKey'>) {
    this.invitation = pageOf(
      'invitation.html',
      { apikey: escaped(anonKey) },
      { directives: ["connect-src 'self'"] },
    );
  }

  @Get()
  @Endpoint({ access: 'open' })
  home(@Req() request: HttpRequest): HttpResponse {
    const isPage = acceptedType(request.headers.accept, ['application/json', 'text/html']) === 'text/html';
    const isInvitation = new URLSearchParams(queryOf(request.raw.url ?? '')).has('invitation');
    const { headers, body } = isInvitation ? this.invitation : home;
    return {
      status: 200,
      headers: { ...(isPage ? headers : { 'Content-Type': JSON_TYPE }), Vary: 'Accept' },
      body: isPage ? body : HOME_JSON,
    };
  }
}
