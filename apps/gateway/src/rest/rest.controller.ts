// The one door to the data: looks who owns the resource, hands the request on as it came, and the answer back as it comes.

import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import { invalidPath } from '../http/no-route.js';
import { reject } from '@practice/core';
import type { Requester } from '@practice/messaging';
import { checkProfile } from '@practice/query';
import type { RestHeaders } from '@practice/query';
import type { Resource } from '@practice/resource';
import { Composer, isComposed } from '../compose/composer.js';
import { Responses } from '../http/responses.js';
import { pathOf } from '../http/request.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { headOf } from './head.js';
import { methodNotAllowed, tableNotFound } from './not-found.js';
import { responseOf } from './reply.js';
import { REQUESTER } from './requester.js';
import { resourcePath } from './resource-path.js';
import { refuseFunction } from './rpc.js';
import { FairQueue } from './fair-queue.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
const ALLOW = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';
const NO_BODY = new Uint8Array();

@Controller('rest/v1')
export class RestController {
  // Apart, so that nobody's writes, which wait for each other, keep its reads waiting.
  private readonly reads = new FairQueue();
  private readonly writes = new FairQueue();

  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly composer: Composer,
    private readonly responses: Responses,
  ) {}

  @All('*')
  async handle(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const name = resourcePath(pathOf(request.raw.url ?? ''));
    const resource = resourceOf(name, request);
    if (!METHODS.has(request.method)) reject(methodNotAllowed(request.method, ALLOW));
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    const head = headOf(request, name);
    const queue = isRead(head) ? this.reads : this.writes;
    const turn = queue.take(head.therapistId);
    if (turn !== undefined) await turn;
    try {
      // Whoever has left while waiting misses nothing.
      if (reply.raw.destroyed) return;
      const response = isComposed(resource, head)
        ? await this.composer.answer(resource.service, head, body)
        : await this.requester.request(resource.service, head, body);
      this.responses.send(request, reply, responseOf(response));
    } finally {
      queue.done(head.therapistId);
    }
  }
}

const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';

const isFunction = (name: string): boolean => name.startsWith('rpc/');

/** @throws {Rejection} PGRST125, PGRST106, PGRST205, or as `refuseFunction` */
function resourceOf(name: string, request: HttpRequest): Resource {
  if (!isFunction(name) && name.includes('/')) reject(invalidPath);
  checkProfile(request.method, request.headers as RestHeaders);
  if (isFunction(name)) return refuseFunction(name.slice('rpc/'.length), request);
  return catalog.resources.get(name) ?? reject(tableNotFound(name));
}
