// Row-level security of the private tables. Their rows belong to users, not to practices.

/** The setting that holds the user whose rows a transaction may see. */
export const USER_SETTING = 'app.user_id';

/** The user of the transaction; null, and so no row, if it is not set. */
export const currentUser = `(select nullif(current_setting('${USER_SETTING}', true), '')::uuid)`;

/** The setting that holds the credential (an address or the hash of a token) that a caller presented. */
export const PRESENTED_SETTING = 'app.presented';

export const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** The setting that holds the practice that begins to require a second factor in this transaction. */
export const BEGINS_MFA_SETTING = 'app.begins_mfa';

export const beginsMfa = `(select nullif(current_setting('${BEGINS_MFA_SETTING}', true), '')::uuid)`;

/** Shows a transaction the rows for which `condition` holds, and lets it write rows of its user only. */
export function visible(table: string, condition: string): string[] {
  return [
    `ALTER TABLE identity.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_user ON identity.${table} TO identity
      USING (${condition}) WITH CHECK (user_id = ${currentUser})`,
  ];
}

/** Shows a transaction the rows of its user. */
export const ownRows = (table: string): string[] => visible(table, `user_id = ${currentUser}`);

/** A session that was refreshed since is kept, whatever else is true of it. */
export const OLD_SESSION = `refreshed_at < now() - interval '30 days'`;
