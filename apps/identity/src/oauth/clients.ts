// The clients of the OAuth server: registered by owners, or described by a metadata document.

import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@practice/core';
import type { AdapterPayload } from 'oidc-provider';
import { IsNull } from 'typeorm';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { inFuture } from '../store/database.js';
import { OauthClientSecret, OauthRegistration } from '../store/oauth.entities.js';
import { tokenHash } from '../store/secrets.js';
import { Transactions } from '../store/transactions.js';
import { DocumentFetch } from './document-fetch.js';
import { isLoopbackUri } from '../notices/loopback-uris.js';

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_CODE];
/** Takes the place of a client's secret in the metadata, because secrets are compared by their hashes. */
const HASHED = 'compared by its hash';
const OK = 200;

@Injectable()
export class OauthClients {
  constructor(
    private readonly transactions: Transactions,
    private readonly documents: DocumentFetch,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'outbound'>,
  ) {}

  /** A client that a practice has registered. */
  registered(clientId: string): Promise<OauthRegistration | null> {
    if (!isUuid(clientId)) return Promise.resolve(null);
    return this.transactions.run({ presented: clientId }, (tables) =>
      tables.findOneBy(OauthRegistration, { clientId }),
    );
  }

  /** The metadata of a client for the library; undefined for an id of another kind. */
  async metadataOf(clientId: string): Promise<AdapterPayload | undefined> {
    if (this.config.outbound.allowsLoopback && isLoopbackUri(clientId)) return this.documentOf(clientId);
    const client = await this.registered(clientId);
    if (client === null) return undefined;
    const isConfidential = client.kind === 'confidential';
    return {
      client_id: clientId,
      client_name: client.name,
      redirect_uris: [...client.redirectUris],
      application_type: client.redirectUris.some(isLoopbackUri) ? 'native' : 'web',
      grant_types: GRANT_TYPES,
      token_endpoint_auth_method: isConfidential ? 'client_secret_basic' : 'none',
      ...(isConfidential && { client_secret: HASHED }),
    };
  }

  /** Whether this is a secret of a registered client that is valid now. */
  isSecret(clientId: string, secret: string): Promise<boolean> {
    const key = { clientId, secretHash: tokenHash(secret) };
    return this.transactions.run({ presented: clientId }, (tables) =>
      tables.existsBy(OauthClientSecret, [
        { ...key, endsAt: IsNull() },
        { ...key, endsAt: inFuture },
      ]),
    );
  }

  /** In development, a metadata document may be on this machine without TLS. The library does not fetch it. */
  private async documentOf(clientId: string): Promise<AdapterPayload | undefined> {
    const response = await this.documents.fetch(clientId).catch(() => undefined);
    if (response?.status !== OK) return undefined;
    const document = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    if (document?.['client_id'] !== clientId) return undefined;
    if ('client_secret' in document) return undefined;
    return { ...document, token_endpoint_auth_method: 'none' } as AdapterPayload;
  }
}
