// The reference page: swagger-ui with files of this server only. It needs no key, since it contains no data.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, HttpStatus, NotFoundException, Req } from '@nestjs/common';
import { oncePer } from '@practice/core';
import { Endpoint } from '../http/endpoint.js';
import { FixedBody } from '../http/fixed-body.js';
import { type HttpRequest, pathOf } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import { Documents } from './documents.js';
import { fileOf, pageFile } from './pages.js';

const PAGE = pageFile('docs.html');
const START = pageFile('docs.js');

/** The files of swagger-ui that the page uses, and their types. */
const RENDERER = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

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
const rendererFile = oncePer(
  new Map<string, FixedBody>(),
  (file) => new FixedBody(readFileSync(join(rendererFolder, file))),
);

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
  description(@Req() request: HttpRequest): Promise<HttpResponse> {
    return this.documents.openApi.answer(request, { ...PAGE_HEADERS, 'Content-Type': JSON_TYPE });
  }

  @Get(':file')
  @Endpoint({ access: 'open' })
  async file(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { file } = request.params as { file: string };
    const type = RENDERER.get(file);
    if (type === undefined) throw new NotFoundException();
    if (request.headers.range === undefined)
      return rendererFile(file).answer(request, { ...PAGE_HEADERS, 'Content-Type': type });
    const { headers, ...found } = await fileOf(rendererFolder, file, request);
    return { ...found, headers: { ...PAGE_HEADERS, ...headers } };
  }
}

const page = (type: string, body: string): HttpResponse => ({
  status: 200,
  headers: { ...PAGE_HEADERS, 'Content-Type': type },
  body,
});
