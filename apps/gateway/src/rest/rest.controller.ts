// The one door to the data: looks who owns the resource, hands the request on as it came, and the answer back as it comes.

import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Requester } from '@practice/messaging';
import { Composer, isComposed } from '../compose/composer.js';
import { Answers } from '../door/answers.js';
import { pathOf } from '../door/request.js';
import type { DoorReply, DoorRequest } from '../door/request.js';
import { headOf } from './head.js';
import { invalidPath, methodNotAllowed, tableNotFound } from './not-found.js';
import { answerOf } from './reply.js';
import { REQUESTER } from './requester.js';
import { resourcePath } from './resource-path.js';
import { refuseFunction } from './rpc.js';
import { Turns } from './turns.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
const ALLOW = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';
const NO_BODY = new Uint8Array();

@Controller('rest/v1')
export class RestController {
  // Apart, so that nobody's writes, which wait for each other, keep its reads waiting.
  private readonly reads = new Turns();
  private readonly writes = new Turns();

  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly composer: Composer,
    private readonly answers: Answers,
  ) {}

  @All('*')
  async handle(@Req() request: DoorRequest, @Res() reply: DoorReply): Promise<void> {
    const name = resourcePath(pathOf(request.raw.url ?? ''));
    const resource = catalog.resources.get(name) ?? refuseName(name, request);
    if (!METHODS.has(request.method)) reject(methodNotAllowed(request.method, ALLOW));
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    const head = headOf(request, name);
    const turns = isRead(head) ? this.reads : this.writes;
    const turn = turns.take(head.therapistId);
    if (turn !== undefined) await turn;
    try {
      // Whoever has left while waiting misses nothing.
      if (reply.raw.destroyed) return;
      const answer = isComposed(resource, head)
        ? await this.composer.answer(resource.service, head, body)
        : await this.requester.request(resource.service, head, body);
      this.answers.send(request, reply, answerOf(answer));
    } finally {
      turns.done(head.therapistId);
    }
  }
}

const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';

/** @throws {Rejection} always: what is named is no resource */
function refuseName(name: string, request: DoorRequest): never {
  if (name.startsWith('rpc/')) return refuseFunction(name.slice('rpc/'.length), request);
  return reject(name.includes('/') ? invalidPath : tableNotFound(name));
}
