// The device flow: a person types the code that a device shows.

import { randomUUID } from 'node:crypto';
import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler } from '../calls/call.js';
import { isText } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { OauthHttp } from './protocol.js';
import { OauthProvider } from './provider.js';

export class OpenDevice extends AccountCommand {}

/** Begins an authorization for a device whose code a person has typed. */
@CommandHandler(OpenDevice)
export class OpenDeviceHandler implements AccountHandler<OpenDevice> {
  constructor(
    private readonly provider: OauthProvider,
    private readonly http: OauthHttp,
  ) {}

  /** @throws {Rejection} when no device waits with this code */
  async execute({ call }: OpenDevice) {
    const { user_code: code } = call.fields();
    if (!isText(code)) return refuse(problems.noSuchDevice);
    const provider = await this.provider.current();
    // The library asks for a form with a secret of its session. A new secret suffices, because the auth API has authenticated the caller.
    const secret = randomUUID();
    const session = new provider.Session();
    session.state = { secret };
    await session.save(SECONDS);
    const form = new URLSearchParams({ xsrf: secret, user_code: code, confirm: 'yes' });
    const { headers } = await this.http.request({
      method: 'POST',
      url: '/oauth/device',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      cookies: { _session: session.jti },
      payload: form.toString(),
    });
    const id = new URL(headers.location ?? 'none:').searchParams.get('authorization_id');
    return { body: { authorization_id: id ?? refuse(problems.noSuchDevice) } };
  }
}

const SECONDS = 60;
