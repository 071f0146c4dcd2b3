import { askModes } from '@practice/core';
import { column, resource, type RowOf } from '@practice/resource';

/** Members see and revoke their own grants. */
const OWN = { may: 'delete', of: 'user_id' } as const;

export const oauthGrants = resource({
  name: 'oauth_grants',
  service: 'identity',
  aggregate: 'oauth_grant',
  description:
    'The access that members have given to apps. Owners see all of the practice, other members their own. DELETE revokes the access at once; members with the role `read_only` do it with `supabase.auth.oauth.revokeGrant`.',
  roles: { therapist: OWN, front_desk: OWN, billing: OWN, read_only: { may: 'read', of: 'user_id' } },
  readOnly: true,
  deletable: true,
  isUndoable: false,
  columns: {
    client_id: column.text({
      required: true,
      readOnly: true,
      maxLength: 2048,
      description: 'The app: the id of a record in `oauth_clients`, or the URL of its metadata document.',
    }),
    client_name: column.text({
      required: true,
      readOnly: true,
      maxLength: 100,
      description: 'The name of the app when access was given.',
    }),
    user_id: column.uuid({ required: true, readOnly: true, description: 'The member.' }),
    scopes: column.texts({
      required: true,
      readOnly: true,
      description: 'The rights of the app, as scopes of personal access tokens: `appointments:read`.',
    }),
    ask: column.text({
      default: 'above',
      readOnly: true,
      oneOf: askModes,
      description: 'When an assistant must ask: never, above a threshold of the practice, or always.',
    }),
    expires_at: column.timestamp({ required: true, readOnly: true, description: 'When the access ends.' }),
    last_used_at: column.timestamp({
      beside: 'oauth_grant_uses',
      readOnly: true,
      description: 'The last use, within five minutes. Null before the first use and in past states.',
    }),
    last_used_address: column.text({
      beside: 'oauth_grant_uses',
      readOnly: true,
      confidential: true,
      description: 'The network address of the last use.',
    }),
  },
  events: { OauthGrantCreated: 'created', OauthGrantRevoked: 'deleted' },
  indexes: [['user_id']],
});

export type OauthGrant = RowOf<typeof oauthGrants>;
