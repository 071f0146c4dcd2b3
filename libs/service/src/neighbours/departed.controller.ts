import { Controller, Inject } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { FrameRequest, Reply } from '@practice/messaging';
import { Database } from '../storage/database.js';
import { UNHEARD } from './departures.js';
import type { Departed } from './departures.js';
import { FOLLOWING } from './following.js';
import type { FollowingOptions } from './following.js';
import { selectUnheard } from './mirror-table.js';

/** Says whether this service has heard that records of another one are gone. */
@Controller()
export class DepartedController {
  constructor(
    private readonly database: Database,
    @Inject(FOLLOWING) private readonly following: FollowingOptions,
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
    const rows = await this.database.lanes.run(therapistId, selectUnheard(service, therapistId, departed));
    return rows.length > 0;
  }
}
