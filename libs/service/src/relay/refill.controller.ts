import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { REFILL, type RefillAnswer, type RefillQuestion } from '@practice/contracts';
import { isBackfillOpen, requestBackfill } from '@practice/log';
import { jsonReply, type FrameRequest, type Reply } from '@practice/bus';
import { OutboxRelay } from './relay.js';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';

/** Notes that a subscriber needs events that have left the stream. The relay publishes them again, in the process that runs it. */
@Controller()
export class RefillController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly crossTenant: CrossTenantConnection,
    private readonly relay: OutboxRelay,
  ) {}

  @MessagePattern(REFILL)
  async refill({ body }: FrameRequest): Promise<Reply> {
    const { id, kind, since } = JSON.parse(body.toString()) as RefillQuestion;
    const { service } = this.database;
    if (kind === 'ask') await this.crossTenant.run(requestBackfill(service, { id, since }));
    const open = await this.crossTenant.run(isBackfillOpen(service, id));
    if (open.length > 0) this.relay.compare();
    return jsonReply({ isDone: open.length === 0 } satisfies RefillAnswer);
  }
}
