// A client is erased while plain values are restored from the log.
import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { keyEncryptionOf, lockPractices, run, withOpenClient } from '@practice/log';
import { erasePersonal } from '@practice/privacy';
import { adminDatabase, eventually, make, newPractice, stack } from '@practice/testing';
import { restoreValues } from './restore-values.js';

const admin = adminDatabase();
const service = 'clinical-notes';
const url = (): string => stack().databaseUrl('clinical_notes_owner');

async function waits(): Promise<boolean> {
  const { rowCount } = await admin.query(
    `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
    [`${service} restore values`],
  );
  return rowCount === 1;
}

it('are not restored for a client who is erased meanwhile, and are restored for others', async () => {
  const practice = await newPractice();
  const { therapistId } = practice;
  const [erased, other] = [
    await make(practice, 'clients', { name: 'Ada' }),
    await make(practice, 'clients', { name: 'Bo' }),
  ];
  for (const { id } of [erased, other]) await make(practice, 'sessions', { client_id: id, plan: 'rest' });
  const keyEncryption = keyEncryptionOf(`file:${join(stack().dataDir, 'keys', `${service}.keys`)}`);
  const plain = async (): Promise<unknown[]> => {
    const text = 'SELECT data FROM clinical_notes.personal_values WHERE therapist_id = $1 ORDER BY position';
    return (await admin.query<{ data: unknown }>(text, [therapistId])).rows.map(({ data }) => data);
  };
  const [, ofOther] = await plain();
  await admin.query('DELETE FROM clinical_notes.personal_values WHERE therapist_id = $1', [therapistId]);

  const restoring = await withOpenClient({ connectionString: url() }, async (erasing) => {
    await erasing.query('BEGIN');
    await run(erasing, lockPractices(service, [therapistId], 'wait'));
    // These rows keep an insert of the same rows waiting.
    await erasing.query(
      `INSERT INTO clinical_notes.personal_values (therapist_id, position, aggregate)
       SELECT therapist_id, position, aggregate FROM clinical_notes.events WHERE therapist_id = $1`,
      [therapistId],
    );
    const begun = restoreValues({ service, url: url(), keyEncryption, check: false });
    await eventually('the restoring waits for the erasure', waits);
    await erasePersonal(erasing, { service, therapistId, client: erased.id });
    await erasing.query('COMMIT');
    return { begun };
  });
  await restoring.begun;
  expect(await plain()).toEqual([ofOther]);
});
