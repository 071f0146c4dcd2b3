// The end of an authorization: the answer goes to the app.

import { Injectable } from '@nestjs/common';
import type { Interaction } from 'oidc-provider';
import { problems, refuse } from '../calls/problems.js';
import { OauthPayloads } from './payloads.js';
import { OauthHttp } from './protocol.js';
import { OauthProvider } from './provider.js';

@Injectable()
export class AuthorizationEnd {
  constructor(
    private readonly provider: OauthProvider,
    private readonly payloads: OauthPayloads,
    private readonly http: OauthHttp,
  ) {}

  /**
   * Stores the answer of a person, and continues the authorization in the library.
   * @param decide makes the answer, once it is certain that there is no other one
   * @returns where the browser goes
   * @throws {Rejection} when the authorization was answered before
   */
  async end(
    interaction: Interaction,
    decide: () => Promise<NonNullable<Interaction['result']>>,
  ): Promise<string> {
    if (!(await this.payloads.claim('Interaction', interaction.uid))) refuse(problems.noSuchAuthorization);
    interaction.result = await decide();
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
    const { uid, returnTo, deviceCode } = interaction;
    const { headers, statusCode, body } = await this.http.follow(returnTo, { _interaction_resume: uid });
    if (deviceCode !== undefined) return this.provider.devicePage;
    if (headers.location === undefined) throw new Error(`the OAuth server replied ${statusCode}: ${body}`);
    return headers.location;
  }
}
