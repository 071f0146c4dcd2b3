import { problemFor, reject } from '@practice/core';
import type { ClientBase } from 'pg';

/** @throws {Rejection} PM404 unless the practice has the webhook */
export async function requireWebhook(client: ClientBase, therapistId: string, id: string): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM webhooks.webhooks WHERE therapist_id = $1 AND id = $2',
    [therapistId, id],
  );
  if (rowCount === 0)
    reject(problemFor('PM404', { message: 'the webhook does not exist', details: `webhook_id is ${id}.` }));
}
