// The requests of gateways: the state for checking access tokens, and the owner of a personal token.

import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { GatewayState, PersonalTokenEnvelope } from '@practice/contracts';
import type { FrameRequest, Reply } from '@practice/messaging';
import { CrossTenantConnection } from '@practice/service';
import { SigningKeys } from '../keys/signing-keys.js';
import { PersonalTokens } from '../personal-tokens/personal-tokens.js';
import { endedSessions } from '../sessions/sessions.js';

@Controller()
export class GatewayController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly tokens: PersonalTokens,
    private readonly crossTenant: CrossTenantConnection,
  ) {}

  /** Read from the database each time: a gateway asks because it may have missed an announcement. */
  @MessagePattern('gateway-state')
  async state(): Promise<Reply> {
    await this.keys.reload();
    const ended = await endedSessions(this.crossTenant);
    return json({ keys: await this.keys.published(), ended } satisfies GatewayState);
  }

  @MessagePattern('personal-token')
  async personalToken({ envelope }: FrameRequest<PersonalTokenEnvelope>): Promise<Reply> {
    return json(await this.tokens.present(envelope.tokenHash));
  }
}

const json = (value: object | null): Reply => ({ status: 200, headers: {}, body: JSON.stringify(value) });
