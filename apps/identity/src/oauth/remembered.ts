// Remembers approvals: a person is not asked again when an app requests access that it already has.

import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { isLoopbackUri } from '../notices/loopback-uris.js';
import type { Member } from '../users/access.js';
import type { Pending } from './authorizations.js';
import { Grants } from './grants.js';
import { OauthPayloads } from './payloads.js';

const MODEL = 'Consent';

@Injectable()
export class RememberedConsents {
  constructor(
    private readonly payloads: OauthPayloads,
    private readonly grants: Grants,
  ) {}

  /** Remembers an approval until its grant ends. */
  async keep(
    person: Member,
    pending: Pending,
    grant: { readonly id: string; readonly expiresAt: Date },
  ): Promise<void> {
    if (!isRepeatable(pending)) return;
    const seconds = Math.ceil((grant.expiresAt.getTime() - Date.now()) / 1000);
    const payload: AdapterPayload = { grantId: grant.id };
    await this.payloads.upsert(MODEL, { id: keyOf(person, pending), payload, seconds });
  }

  /** The open grant of an earlier approval for the same client, scopes, redirect and practice; undefined if the person must be asked. */
  async grantOf(person: Member, pending: Pending): Promise<string | undefined> {
    if (!isRepeatable(pending) || asksAgain(pending)) return undefined;
    const { grantId } = (await this.payloads.find(MODEL, keyOf(person, pending))) ?? {};
    return grantId !== undefined && (await this.grants.isOpen(grantId)) ? grantId : undefined;
  }
}

/** Whether an approval may be remembered: not for an app on a machine, where any program can pretend to be the app (RFC 8252, 8.6). */
const isRepeatable = ({ redirectUri }: Pending): boolean =>
  redirectUri.startsWith('https:') && !isLoopbackUri(redirectUri);

/** Whether the app requires that the person is asked. */
const asksAgain = ({ interaction }: Pending): boolean => String(interaction.params['prompt'] ?? '') !== '';

const keyOf = (
  { userId, therapistId }: Member,
  { client, redirectUri, resource, personal, scopes }: Pending,
): string =>
  JSON.stringify([
    ...[userId, therapistId, client.clientId, redirectUri, resource],
    [...personal, ...scopes].sort(),
  ]);
