import { BaseRpcContext } from '@nestjs/microservices';
import type { RequestHead } from './request.js';

/** What guards and interceptors may know of a request without touching its body. */
export class FrameContext extends BaseRpcContext<[RequestHead]> {
  /** The head, as the handler receives it too. */
  get head(): RequestHead {
    return this.args[0];
  }
}
