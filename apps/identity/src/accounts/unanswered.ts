import type { Sweep } from '@practice/storage';

/** Deletes mailed requests that were not answered in time. They hold addresses of people who may not know of them. */
export const unanswered: readonly Sweep[] = ['pending_sign_ups', 'address_changes'].map((table) => ({
  table,
  statement: { text: `DELETE FROM identity.${table} WHERE expires_at < now() RETURNING 1`, values: [] },
}));
