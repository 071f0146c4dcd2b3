import { column } from '@practice/resource';

/** A personal access token as its owner sees it. */
export const shownToken = {
  id: column.uuid({ required: true, description: 'For `rpc/revoke_token`.' }),
  therapist_id: column.uuid({ required: true, description: 'The practice that it acts in.' }),
  name: column.text({ required: true }),
  prefix: column.text({ required: true, description: 'Its first characters.' }),
  scopes: column.texts({ description: 'Null: everything that the caller may do.' }),
  read_only: column.boolean({ required: true, description: 'Whether its scopes only permit reading.' }),
  expires_at: column.timestamp({ required: true }),
  created_at: column.timestamp({ required: true }),
  last_used_at: column.timestamp({ description: 'When it was last used, to about five minutes.' }),
  last_used_address: column.text({
    confidential: true,
    description: 'The network address that it was last used from.',
  }),
} as const;
