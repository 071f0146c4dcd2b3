import { column, resource } from '@practice/resource';

export const securityEventKinds = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'session_ended',
  'practice_entered',
  'second_factor_passed',
  'second_factor_refused',
  'factor_enrolled',
  'factor_removed',
  'factors_reset',
  'passkey_registered',
  'passkey_renamed',
  'passkey_removed',
  'passkey_counter_refused',
  'access_released',
  'recovery_codes_created',
  'account_changed',
  'address_confirmed',
  'token_created',
  'token_revoked',
  'oauth_granted',
  'oauth_grant_used',
  'oauth_grant_revoked',
  'calendar_link_created',
  'calendar_link_revoked',
  'member_invited',
  'invitation_accepted',
  'member_role_changed',
  'member_removed',
  'mfa_required',
  'mfa_no_longer_required',
  'glass_broken',
  'practice_exported',
  'export_downloaded',
  'practice_closed',
  'practice_reopened',
] as const;

export type SecurityEventKind = (typeof securityEventKinds)[number];

export const securityEvents = resource({
  name: 'security_events',
  service: 'identity',
  aggregate: 'security_event',
  description:
    'Sign-ins, refused sign-ins, break-glass access, exports, the end of the practice, and changes of access, members and requirements. For owners.',
  // The service writes with the role of the owner whose write caused the event.
  roles: { owner: 'write', therapist: 'none', read_only: 'none' },
  appendOnly: true,
  readOnly: true,
  isUndoable: false,
  columns: {
    kind: column.text({
      required: true,
      oneOf: securityEventKinds,
      description: 'The kind of event. `created_at` is its time.',
    }),
    user_id: column.uuid({
      description: 'The person whose access is concerned, if that person has an account.',
    }),
    membership_id: column.uuid({ description: 'The membership that was changed.' }),
    by_user_id: column.uuid({ description: 'The person who was signed in and did it.' }),
    session_id: column.uuid({ description: 'The session in which it happened.' }),
    token_id: column.uuid({
      description:
        'The personal access token, or the grant of an app (`oauth_grants`), that was created, revoked or used.',
    }),
    address: column.text({
      confidential: true,
      maxLength: 100,
      description: 'The network address of the request.',
    }),
    reason: column.text({
      confidential: true,
      maxLength: 500,
      description: 'Why a member took break-glass access, or an owner closed the practice.',
    }),
  },
  events: { SecurityEventRecorded: 'created' },
  indexes: [['created_at'], ['user_id', 'created_at']],
});
