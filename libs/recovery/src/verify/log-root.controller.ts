import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { LOG_ROOT } from '@practice/contracts';
import { logRoot } from '@practice/log';
import { jsonReply, type FrameRequest, type Reply } from '@practice/bus';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';

/** Answers with the root of this service's log: a hash that reveals nothing about a practice. */
@Controller()
export class LogRootController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly crossTenant: CrossTenantConnection,
  ) {}

  @MessagePattern(LOG_ROOT)
  async root({ body }: FrameRequest): Promise<Reply> {
    const root = await logRoot(this.database.service, body.toString(), (statement) =>
      this.crossTenant.run(statement),
    );
    return jsonReply(root);
  }
}
