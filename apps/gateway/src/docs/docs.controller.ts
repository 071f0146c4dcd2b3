// The reference page for people: open to all, since it says nothing but how the API is called.

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import send from '@fastify/send';
import { Controller, Get, HttpStatus, NotFoundException, Req, Res } from '@nestjs/common';
import { Documents } from '../description/documents.js';
import { Access } from '../door/access.js';
import { Answers, JSON_TYPE } from '../door/answers.js';
import type { Answer } from '../door/answers.js';
import { pathOf } from '../door/request.js';
import type { DoorReply, DoorRequest } from '../door/request.js';
import { PAGE, PAGE_HEADERS, RENDERER, START } from './page.js';

const rendererFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

@Controller('docs')
export class DocsController {
  constructor(
    private readonly documents: Documents,
    private readonly answers: Answers,
  ) {}

  /** With a slash behind it, its links would lead elsewhere. (Nest takes one slash off the end of a path.) */
  @Get(['', '//'])
  @Access('open')
  page(@Req() request: DoorRequest, @Res() reply: DoorReply): void {
    const hasSlash = pathOf(request.raw.url ?? '').endsWith('/');
    this.answers.send(
      request,
      reply,
      hasSlash
        ? { status: HttpStatus.PERMANENT_REDIRECT, headers: { Location: '../docs' } }
        : page('text/html; charset=utf-8', PAGE),
    );
  }

  @Get('start.js')
  @Access('open')
  start(@Req() request: DoorRequest, @Res() reply: DoorReply): void {
    this.answers.send(request, reply, page('text/javascript; charset=utf-8', START));
  }

  /** The description again, for whoever looks at the page without a key. */
  @Get('openapi.json')
  @Access('open')
  description(@Req() request: DoorRequest, @Res() reply: DoorReply): void {
    this.answers.send(request, reply, page(JSON_TYPE, this.documents.openApi));
  }

  @Get(':file')
  @Access('open')
  async file(@Req() request: DoorRequest, @Res() reply: DoorReply): Promise<void> {
    const { file } = request.params as { file: string };
    if (!RENDERER.has(file)) throw new NotFoundException();
    this.answers.send(request, reply, await fileAnswer(request, file));
  }
}

const page = (type: string, body: string | Buffer): Answer => ({
  status: 200,
  headers: { ...PAGE_HEADERS, 'Content-Type': type },
  body,
});

/** A file of the renderer, read from the disk while it is sent; ranges and conditions are those of HTTP. */
async function fileAnswer(request: DoorRequest, file: string): Promise<Answer> {
  const { statusCode, headers, stream } = await send(request.raw, file, { root: rendererFolder });
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode,
    headers: { ...PAGE_HEADERS, ...(Object.fromEntries(named) as Record<string, string>) },
    body: stream,
  };
}
