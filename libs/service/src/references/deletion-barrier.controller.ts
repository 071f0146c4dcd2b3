import { Controller, Inject } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { FrameRequest, Reply } from '@practice/messaging';
import { TenantDatabase } from '../storage/tenant-database.js';
import { UNHEARD } from './deletion-barrier.js';
import type { Departed } from './deletion-barrier.js';
import { SUBSCRIBER_OPTIONS } from '../projections/subscriber.js';
import type { SubscriberOptions } from '../projections/subscriber.js';
import { selectUnheard } from '../projections/mirror-table.js';

/** Says whether this service has heard that records of another one are gone. */
@Controller()
export class DeletionBarrierController {
  constructor(
    private readonly database: TenantDatabase,
    @Inject(SUBSCRIBER_OPTIONS) private readonly following: SubscriberOptions,
  ) {}

  @MessagePattern('departed')
  async departed({ head, body }: FrameRequest): Promise<Reply> {
    const departed = JSON.parse(body.toString()) as Departed;
    const isUnheard = await this.isUnheard(head.therapistId, departed);
    return { status: isUnheard ? UNHEARD : 200, headers: {}, body: '' };
  }

  private async isUnheard(therapistId: string, departed: Departed): Promise<boolean> {
    const { service, mirrored } = this.following;
    if (mirrored[departed.resource] === undefined) return false;
    const rows = await this.database.reads.run(therapistId, selectUnheard(service, therapistId, departed));
    return rows.length > 0;
  }
}
