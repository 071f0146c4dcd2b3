// The requests of gateways: the state for checking access tokens, and the owner of a personal token or a calendar link.

import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type FrameRequest, jsonReply, type Reply } from '@practice/bus';
import { CALENDAR_LINK } from '@practice/contracts';
import type { CalendarLinkEnvelope, GatewayState, PersonalTokenEnvelope } from '@practice/contracts';
import { MAX_TOKEN_SECONDS } from '@practice/settings';
import { CrossTenantConnection } from '@practice/storage';
import { SigningKeys } from '../keys/signing-keys.js';
import { selectGatewayState } from '../store/raw-sql.js';
import { PresentedCalendarLinks } from './calendar-links.js';
import { PersonalTokens } from './personal-tokens.js';

/** Longer than any access token lives, with a margin for clocks. */
const KNOWN_SECONDS = MAX_TOKEN_SECONDS + 3600;

@Controller()
export class GatewayController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly tokens: PersonalTokens,
    private readonly calendarLinks: PresentedCalendarLinks,
    private readonly crossTenant: CrossTenantConnection,
  ) {}

  /** Reads the state from the database each time, because a gateway that asks may have missed an announcement. */
  @MessagePattern('gateway-state')
  async state(): Promise<Reply> {
    await this.keys.reload();
    const [[state] = []] = await this.crossTenant.run(selectGatewayState(KNOWN_SECONDS));
    const keys = await this.keys.published();
    return jsonReply({ keys, ...(JSON.parse(String(state)) as Omit<GatewayState, 'keys'>) });
  }

  @MessagePattern('personal-token')
  async personalToken({ envelope }: FrameRequest<PersonalTokenEnvelope>): Promise<Reply> {
    return jsonReply(await this.tokens.present(envelope.tokenHash, envelope.address));
  }

  @MessagePattern(CALENDAR_LINK)
  async calendarLink({ envelope }: FrameRequest<CalendarLinkEnvelope>): Promise<Reply> {
    return jsonReply(await this.calendarLinks.present(envelope));
  }
}
