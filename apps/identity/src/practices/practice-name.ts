import type { ClientBase } from 'pg';

/** The name of the practice that the transaction acts for. */
export async function nameOf(client: ClientBase, therapistId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM identity.practices WHERE therapist_id = $1 AND id = $1',
    [therapistId],
  );
  return rows[0]?.name;
}
