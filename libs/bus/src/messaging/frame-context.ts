import { BaseRpcContext } from '@nestjs/microservices';
import type { Envelope } from '@practice/core';

/** The part of a request that guards and interceptors may read: everything except its body. */
export class FrameContext extends BaseRpcContext<[Envelope]> {
  /** The same envelope that the handler receives. */
  get envelope(): Envelope {
    return this.args[0];
  }
}
