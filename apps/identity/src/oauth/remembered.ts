// A repeated request of an app for what it has already: the person is not asked again.

import { Injectable } from '@nestjs/common';
import type { Identity } from '@practice/core';
import type { AdapterPayload } from 'oidc-provider';
import type { Pending } from './authorizations.js';
import { Grants } from './grants.js';
import { OauthPayloads } from './payloads.js';
import { isLoopbackUri } from './redirect-uris.js';

const MODEL = 'Consent';

type Person = Pick<Identity, 'userId' | 'therapistId'>;

@Injectable()
export class RememberedConsents {
  constructor(
    private readonly payloads: OauthPayloads,
    private readonly grants: Grants,
  ) {}

  /** Keeps a yes until its grant ends. */
  async keep(
    person: Person,
    pending: Pending,
    grant: { readonly id: string; readonly expiresAt: Date },
  ): Promise<void> {
    if (!isRepeatable(pending)) return;
    const seconds = Math.ceil((grant.expiresAt.getTime() - Date.now()) / 1000);
    const payload: AdapterPayload = { grantId: grant.id };
    await this.payloads.upsert(MODEL, { id: keyOf(person, pending), payload, seconds });
  }

  /** The open grant of an earlier yes to the same client, scopes, redirect and practice; undefined if the person must be asked. */
  async grantOf(person: Person, pending: Pending): Promise<string | undefined> {
    if (!isRepeatable(pending) || asksAgain(pending)) return undefined;
    const { grantId } = (await this.payloads.find(MODEL, keyOf(person, pending))) ?? {};
    return grantId !== undefined && (await this.grants.isOpen(grantId)) ? grantId : undefined;
  }
}

/** Any program on a machine can pretend to be another one there, so only a redirect to a website vouches for the app (RFC 8252, 8.6). */
const isRepeatable = ({ redirectUri }: Pending): boolean =>
  redirectUri.startsWith('https:') && !isLoopbackUri(redirectUri);

/** The app wants the person to be asked. */
const asksAgain = ({ interaction }: Pending): boolean => String(interaction.params['prompt'] ?? '') !== '';

const keyOf = (
  { userId, therapistId }: Person,
  { client, redirectUri, resource, personal, scopes }: Pending,
): string =>
  JSON.stringify([
    ...[userId, therapistId, client.clientId, redirectUri, resource],
    [...personal, ...scopes].sort(),
  ]);
