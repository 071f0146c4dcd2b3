// The authorizations that wait for the answer of a person. The answer goes to the app.

import { Injectable } from '@nestjs/common';
import { isScope } from '@practice/contracts';
import type { Client, Interaction, InteractionResults } from 'oidc-provider';
import { problems, refuse } from '../calls/problems.js';
import { OauthClients } from './clients.js';
import { OauthPayloads } from './payloads.js';
import { OauthHttp } from './protocol.js';
import { OauthProvider, PERSONAL_SCOPES } from './provider.js';

/** An authorization that waits for a person. */
export type Pending = Awaited<ReturnType<Authorizations['pending']>>;

const MAX_NAME = 100;

/** The name of a client as people see it, cleaned and cut, because anybody can write a metadata document. */
export function nameOf({ clientName, clientId }: Pick<Client, 'clientName' | 'clientId'>): string {
  const name = (clientName ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  // Cut between characters: Postgres stores no half surrogate pair.
  return [...name].slice(0, MAX_NAME).join('') || clientId.slice(0, MAX_NAME);
}

/** A client as Supabase's clients read it. */
export const shownClient = (client: Client): object => ({
  id: client.clientId,
  name: nameOf(client),
  uri: client.clientUri ?? '',
  logo_uri: '',
});

@Injectable()
export class Authorizations {
  constructor(
    private readonly provider: OauthProvider,
    private readonly clients: OauthClients,
    private readonly payloads: OauthPayloads,
    private readonly http: OauthHttp,
  ) {}

  /** @throws {Rejection} when the authorization does not exist, has expired, or was answered */
  async pending(id: string) {
    const provider = await this.provider.current();
    const interaction = (await provider.Interaction.find(id)) ?? refuse(problems.noSuchAuthorization);
    if ('consumed' in interaction) refuse(problems.noSuchAuthorization);
    const { client_id: clientId, redirect_uri: redirectUri = '', scope = '', resource } = interaction.params;
    const client = (await provider.Client.find(String(clientId))) ?? refuse(problems.noSuchAuthorization);
    const asked = [...new Set(String(scope).split(' '))];
    return {
      ...{ interaction, client, redirectUri: String(redirectUri), resource: String(resource) },
      /** The scopes about the person; `scopes` are about records. */
      personal: asked.filter((one) => PERSONAL_SCOPES.includes(one)),
      scopes: asked.filter(isScope),
    };
  }

  /** The practice that a client is registered in; undefined for a client that members of every practice can use. */
  async practiceOf({ clientId }: Client): Promise<string | undefined> {
    return (await this.clients.registered(clientId))?.therapistId;
  }

  /**
   * Stores the answer of a person, and continues the authorization in the library.
   * @param decide makes the answer, after it is certain that there is no earlier answer; if it fails, the person may answer again
   * @returns the URL that the browser goes to
   * @throws {Rejection} when the authorization was answered before
   */
  async end(interaction: Interaction, decide: () => Promise<InteractionResults>): Promise<string> {
    if (!(await this.payloads.claim('Interaction', interaction.uid))) refuse(problems.noSuchAuthorization);
    interaction.result = await decide().catch(async (error: unknown) => {
      await this.payloads.release('Interaction', interaction.uid);
      throw error;
    });
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
    const { uid, returnTo, deviceCode } = interaction;
    const { headers, statusCode, body } = await this.http.follow(returnTo, { _interaction_resume: uid });
    if (deviceCode !== undefined) return this.provider.devicePage;
    if (headers.location === undefined) throw new Error(`the OAuth server replied ${statusCode}: ${body}`);
    return headers.location;
  }
}
