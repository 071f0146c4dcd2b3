import { column, defineFunction, returns } from '@practice/resource';
import { forMembers, lastUse, recentProof, shownToMembers, whileOpen } from './callers.js';

/** A personal access token as its owner sees it. */
const shownToken = {
  id: column.uuid({ required: true, description: 'For `rpc/revoke_token`.' }),
  therapist_id: column.uuid({ required: true, description: 'The practice that it acts in.' }),
  name: column.text({ required: true }),
  prefix: column.text({ required: true, description: 'Its first characters.' }),
  scopes: column.texts({ description: 'Null: everything that the caller may do.' }),
  read_only: column.boolean({ required: true, description: 'Whether its scopes only permit reading.' }),
  expires_at: column.timestamp({ required: true }),
  created_at: column.timestamp({ required: true }),
  ...lastUse,
} as const;

export const myTokens = defineFunction({
  name: 'my_tokens',
  ...shownToMembers,
  description:
    'The personal access tokens of the caller in all practices, the newest first, as `GET /auth/v1/tokens` lists them.',
  arguments: {},
  returns: returns.rows(shownToken),
});

export const createToken = defineFunction({
  name: 'create_token',
  ...whileOpen,
  description:
    'Creates a personal access token for the practice of the caller, as `POST /auth/v1/tokens` does. Only this response contains the token.',
  arguments: {
    name: column.text({ required: true, description: '1 to 100 characters.' }),
    expires_at: column.timestamp({ description: 'Within 365 days. Null: in 90 days.' }),
    scopes: column.texts({
      description:
        'Rights: `clients:read`, `appointments:write`, `*:read`, `rpc:free_slots`. Null: everything that the caller may do.',
    }),
    read_only: column.boolean({ default: false, description: 'True, in place of `scopes`: `*:read`.' }),
    ...recentProof,
  },
  returns: returns.object({
    ...shownToken,
    token: column.text({ required: true, confidential: true, description: 'The token.' }),
  }),
});

export const revokeToken = defineFunction({
  name: 'revoke_token',
  ...forMembers,
  description: 'Ends a personal access token of the caller at once, as `DELETE /auth/v1/tokens/{id}` does.',
  arguments: { id: column.uuid({ required: true, description: 'The `id` of `my_tokens`.' }) },
  returns: returns.nothing,
});

export const rotateClientSecret = defineFunction({
  name: 'rotate_client_secret',
  ...whileOpen,
  roles: ['owner'],
  description:
    'Creates a new secret for a confidential app, shown in this response only. The previous secret ends after 24 hours, or at once with `revoke`.',
  arguments: {
    client_id: column.uuid({ required: true, description: 'The record in `oauth_clients`.' }),
    revoke: column.boolean({ default: false, description: 'True: the previous secret ends at once.' }),
  },
  returns: returns.object({
    secret: column.text({ required: true, confidential: true, description: 'The new `client_secret`.' }),
  }),
});
