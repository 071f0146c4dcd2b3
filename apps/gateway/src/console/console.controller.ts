// The console: files that the build has made of apps/console. They contain no data; the page calls the API as any other page does.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, HttpStatus, Inject, NotFoundException, Req } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { accepts, type HttpRequest, pathOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { escaped, fileOf, ownFolder } from '../openapi/pages.js';

const root = join(ownFolder, '..', 'console', 'dist');

/** The page loads and calls this server only. `data:` permits the QR code of a new authenticator app, which the API returns. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** For files whose names contain a hash of their content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

@Controller('console')
export class ConsoleController {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'anonKey' | 'hasConsole'>,
  ) {}

  /** Redirects `/console`, where relative links would break. (Nest removes one slash from the end of a path.) */
  @Get(['', '//'])
  @Endpoint({ access: 'open' })
  async page(@Req() { raw }: HttpRequest): Promise<HttpResponse> {
    if (!this.config.hasConsole) throw new NotFoundException();
    const hasSlash = pathOf(raw.url ?? '').endsWith('/');
    const redirect = { status: HttpStatus.PERMANENT_REDIRECT, headers: { Location: 'console/' } };
    return hasSlash ? this.index() : redirect;
  }

  @Get(':file')
  @Endpoint({ access: 'open' })
  async file(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { file } = request.params as { file: string };
    if (!this.config.hasConsole || !/^[\w-]+\.(?:js|css|svg)$/.test(file)) throw new NotFoundException();
    return fileResponse(request, file);
  }

  private async index(): Promise<HttpResponse> {
    const page = await readFile(join(root, 'index.html'), 'utf8').catch(() => {
      throw new NotFoundException();
    });
    return {
      status: HttpStatus.OK,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-cache',
      },
      body: page.replace('{{apikey}}', escaped(this.config.anonKey)),
    };
  }
}

/** A file of the console, in the compressed form of the build if the caller accepts Brotli. */
async function fileResponse(request: HttpRequest, file: string): Promise<HttpResponse> {
  const isSmall = accepts(request, 'br');
  const found = await fileOf(root, isSmall ? `${file}.br` : file, request);
  if (found.status >= HttpStatus.BAD_REQUEST) throw new NotFoundException();
  const type = file.endsWith('.css')
    ? 'text/css'
    : file.endsWith('.svg')
      ? 'image/svg+xml'
      : 'text/javascript';
  return {
    ...found,
    headers: {
      ...found.headers,
      'Content-Type': `${type}; charset=utf-8`,
      ...(isSmall && { 'Content-Encoding': 'br' }),
      Vary: 'Accept-Encoding',
      'Cache-Control': FOR_GOOD,
    },
  };
}
