import { Inject, Injectable } from '@nestjs/common';
import type { Reply, Requester } from '@practice/messaging';
import type { CommandEnvelope, QueryEnvelope } from '@practice/service';
import { Composer } from '../compose/composer.js';
import type { Call } from '../parse/parse.js';
import { REQUESTER } from './requester.js';

/** The route stage: a call goes to the service that owns its resource, or to the composer if several services have a part. */
@Injectable()
export class Router {
  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly composer: Composer,
  ) {}

  /** @throws {Rejection} PM503 if a service is not available; as `Composer` */
  route(call: Call, envelope: QueryEnvelope | CommandEnvelope): Promise<Reply<Buffer>> {
    const { composition } = call;
    if (composition !== null) return this.composer.reply({ ...call, composition }, envelope);
    return this.requester.request(call.resource.service, envelope, call.body);
  }
}
