// The rules of the aggregates `oauth_client` and `oauth_grant`.

import { type OauthClient, oauthClients, oauthGrants, oauthClientKinds } from '@practice/contracts';
import { type Problem, problemFor, reject } from '@practice/core';
import { changedEvents, type Decider, lookup, deciding } from '@practice/resource';
import { redirectProblem } from './redirect-uris.js';

const MAX_CLIENTS = 50;
const MAX_URIS = 20;

/** The commands that callers may send for a client. */
const oauthClient: Decider<typeof oauthClients> = {
  definition: oauthClients,
  lookups: ({ kind }) => (kind === 'create' ? [lookup(oauthClients, 'kind', oauthClientKinds)] : []),
  decide(command, _state, context) {
    switch (command.kind) {
      case 'create': {
        checkUris(command.record.redirect_uris);
        const others = oauthClientKinds.flatMap((kind) => context.rows(oauthClients, 'kind', kind));
        if (others.length >= MAX_CLIENTS) reject(tooMany);
        return [{ type: 'OauthClientCreated', data: { ...command.record, secret_rotated_at: null } }];
      }
      case 'change':
        if (command.changes.redirect_uris != null) checkUris(command.changes.redirect_uris);
        return changedEvents(oauthClients, command.changes);
      case 'delete':
        return [{ type: 'OauthClientDeleted', data: {} }];
    }
  },
};

/** Records that `rpc/rotate_client_secret` has replaced the secret. */
export const rotating = deciding(oauthClients, {
  changed: ({ secret_rotated_at }) =>
    secret_rotated_at === undefined
      ? []
      : [{ type: 'OauthClientSecretRotated', data: { secret_rotated_at } }],
});

/** The only command that callers may send for a grant: its revocation. */
const oauthGrant: Decider<typeof oauthGrants> = {
  definition: oauthGrants,
  lookups: () => [],
  decide: (command) =>
    command.kind === 'delete' ? [{ type: 'OauthGrantRevoked', data: {} }] : reject(byConsent),
};

export const oauthRules = [oauthClient, oauthGrant] as const;

/** Creates the grant of a person who has consented. */
export const granting = deciding(oauthGrants, { created: (data) => [{ type: 'OauthGrantCreated', data }] });

/** Revokes a grant that has ended in another way than by a DELETE. */
export const revoking = deciding(oauthGrants, {
  changed: (_, state) => (state === null ? [] : [{ type: 'OauthGrantRevoked', data: {} }]),
});

function checkUris(uris: OauthClient['redirect_uris']): void {
  const list = uris ?? [];
  if (list.length === 0 || list.length > MAX_URIS) reject(badUris(`Send 1 to ${MAX_URIS} URIs.`));
  for (const uri of list) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) reject(badUris(`${uri.slice(0, 100)} is refused because ${problem}.`));
  }
}

const badUris = (details: string): Problem =>
  problemFor('22023', { message: 'invalid value for column "redirect_uris"', details });

const tooMany = problemFor('PM012', { message: `a practice can have at most ${MAX_CLIENTS} OAuth clients` });

const byConsent = problemFor('42501', {
  message: 'a grant is made by the consent of a member, and cannot be changed',
  hint: 'Revoke it with DELETE; the app can ask again.',
});
