// The authorizations that wait for a person.

import { isScope } from '@practice/contracts';
import type { Client, Interaction } from 'oidc-provider';
import { problems, refuse } from '../calls/problems.js';
import type { Transactions } from '../store/transactions.js';
import type { OauthClients } from './clients.js';
import { type OauthProvider, PERSONAL_SCOPES } from './provider.js';

/** An authorization that waits for a person. */
export interface Pending {
  readonly interaction: Interaction;
  readonly client: Client;
  readonly redirectUri: string;
  readonly resource: string;
  /** The scopes about the person; `scopes` are about records. */
  readonly personal: readonly string[];
  readonly scopes: readonly string[];
}

const MAX_NAME = 100;

/** The name of a client as people see it. Anybody may write a metadata document. */
export const nameOf = ({ clientName, clientId }: Pick<Client, 'clientName' | 'clientId'>): string =>
  (clientName ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .slice(0, MAX_NAME) || clientId.slice(0, MAX_NAME);

/** A client as Supabase's clients read it. */
export const shownClient = (client: Client): object => ({
  id: client.clientId,
  name: nameOf(client),
  uri: client.clientUri ?? '',
  logo_uri: '',
});

/** Finds the authorizations that wait for the answer of a person. */
export abstract class Authorizations {
  constructor(
    protected readonly provider: OauthProvider,
    protected readonly clients: OauthClients,
    protected readonly transactions: Transactions,
  ) {}

  /** @throws {Rejection} when the authorization does not exist, has expired, or was answered */
  protected async pending(id: string): Promise<Pending> {
    const provider = await this.provider.current();
    const interaction = (await provider.Interaction.find(id)) ?? refuse(problems.noSuchAuthorization);
    if ('consumed' in interaction) refuse(problems.noSuchAuthorization);
    const { client_id: clientId, redirect_uri: redirectUri = '', scope = '', resource } = interaction.params;
    const client = (await provider.Client.find(String(clientId))) ?? refuse(problems.noSuchAuthorization);
    const asked = [...new Set(String(scope).split(' '))];
    return {
      ...{ interaction, client, redirectUri: String(redirectUri), resource: String(resource) },
      personal: asked.filter((one) => PERSONAL_SCOPES.includes(one)),
      scopes: asked.filter(isScope),
    };
  }

  /** The practice that a client is registered in; undefined for a client of everybody. */
  protected async practiceOf({ clientId }: Client): Promise<string | undefined> {
    return (await this.clients.registered(clientId))?.therapistId;
  }
}
