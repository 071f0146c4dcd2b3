import { column, resource, type RowOf } from '@practice/resource';

export const oauthClientKinds = ['public', 'confidential'] as const;

export const oauthClients = resource({
  name: 'oauth_clients',
  service: 'identity',
  aggregate: 'oauth_client',
  description:
    'Apps that the practice has registered. They ask members for access (OAuth 2.1) and serve members of this practice only. The id of the record is the `client_id` of the app. A practice can have 50. For owners.',
  roles: { owner: 'delete', therapist: 'none', read_only: 'none' },
  isUndoable: false,
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 100, description: 'Members see it.' }),
    redirect_uris: column.texts({
      required: true,
      description:
        'Where the app gets its answers: `https`, or `http` on this machine (`127.0.0.1`, `localhost`, `[::1]`), which matches with any port. 1 to 20.',
    }),
    kind: column.text({
      default: 'confidential',
      oneOf: oauthClientKinds,
      fixed: true,
      description: 'Confidential: the app runs on a server and keeps a secret. It cannot be changed.',
    }),
    secret: column.text({
      isOneTimeSecret: true,
      readOnly: true,
      confidential: true,
      description:
        'The `client_secret` of a confidential app. Only the responses to the creation and to `rpc/rotate_client_secret` have it.',
    }),
    secret_rotated_at: column.timestamp({
      readOnly: true,
      description: 'When the secret was last replaced.',
    }),
  },
  events: {
    OauthClientCreated: 'created',
    OauthClientDetailsChanged: ['name', 'redirect_uris'],
    OauthClientSecretRotated: ['secret_rotated_at'],
    OauthClientDeleted: 'deleted',
  },
});

export type OauthClient = RowOf<typeof oauthClients>;
