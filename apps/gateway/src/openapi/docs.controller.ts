// The reference page: swagger-ui with files of this server only. It needs no key, since it contains no data.

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Controller, Get, HttpStatus, NotFoundException, Req } from '@nestjs/common';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, pathOf } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import { Documents } from './documents.js';
import { fileOf, pageFile } from './pages.js';

const PAGE = pageFile('docs.html');
const START = pageFile('docs.js');

/** The files of swagger-ui that the page uses. */
const RENDERER = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

/**
 * The page may run, show and call files of this server only. swagger-ui has small pictures in its style sheet and sets
 * style attributes.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-cache',
} as const;

const rendererFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

@Controller('docs')
export class DocsController {
  constructor(private readonly documents: Documents) {}

  /** Redirects `/docs/`, where relative links would break. (Nest removes one slash from the end of a path.) */
  @Get(['', '//'])
  @Endpoint({ access: 'open' })
  page(@Req() { raw }: HttpRequest): HttpResponse {
    return pathOf(raw.url ?? '').endsWith('/')
      ? { status: HttpStatus.PERMANENT_REDIRECT, headers: { Location: '../docs' } }
      : page('text/html; charset=utf-8', PAGE);
  }

  @Get('start.js')
  @Endpoint({ access: 'open' })
  start(): HttpResponse {
    return page('text/javascript; charset=utf-8', START);
  }

  /** The OpenAPI document, readable without a key. */
  @Get('openapi.json')
  @Endpoint({ access: 'open' })
  description(): HttpResponse {
    return page(JSON_TYPE, this.documents.openApi);
  }

  @Get(':file')
  @Endpoint({ access: 'open' })
  async file(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { file } = request.params as { file: string };
    if (!RENDERER.has(file)) throw new NotFoundException();
    const { headers, ...found } = await fileOf(rendererFolder, file, request);
    return { ...found, headers: { ...PAGE_HEADERS, ...headers } };
  }
}

const page = (type: string, body: string | Buffer): HttpResponse => ({
  status: 200,
  headers: { ...PAGE_HEADERS, 'Content-Type': type },
  body,
});
