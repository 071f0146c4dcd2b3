import { column } from '@practice/resource';

/** The arguments of functions that require a recent proof that the caller is the owner of the account. */
export const recentProof = {
  current_password: column.text({
    maxLength: 72,
    confidential: true,
    description: 'Required, or `nonce`, unless the caller has signed in within the last minutes.',
  }),
  nonce: column.text({ maxLength: 72, confidential: true, description: 'The code of `reauthenticate`.' }),
} as const;
