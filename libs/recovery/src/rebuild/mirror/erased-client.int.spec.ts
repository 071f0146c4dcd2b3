import { expect, it } from '@jest/globals';
import { connect } from '@practice/bus';
import { lockPractices, run, withOpenClient } from '@practice/log';
import { erasePersonal } from '@practice/privacy';
import { adminDatabase, eventually, make, newPractice, stack } from '@practice/testing';
import { rebuildMirror } from './rebuild-mirror.js';

const service = 'scheduling';
const admin = adminDatabase();

async function mirroredClient(id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = `SELECT data FROM scheduling.mirror WHERE resource = 'clients' AND id = $1`;
  return (await admin.query<{ data: Readonly<Record<string, unknown>> }>(text, [id])).rows[0]?.data;
}

it('does not get the name of an erased client back while the stream still has it', async () => {
  const practice = await newPractice();
  const { therapistId } = practice;
  const { id } = await make(practice, 'clients', { name: 'Ada' });
  const { id: _, ...before } = await eventually('the client is mirrored', () => mirroredClient(id));
  const url = stack().databaseUrl('scheduling_owner');
  await withOpenClient({ connectionString: url }, async (erasing) => {
    await erasing.query('BEGIN');
    await run(erasing, lockPractices(service, [therapistId], 'wait'));
    await erasePersonal(erasing, { service, therapistId, client: id });
    await erasing.query('COMMIT');
  });

  const logger = { info() {}, warn() {}, error() {} };
  const connection = await connect({ url: stack().natsUrl(service), name: 'mirror spec', logger });
  try {
    const mirrored = { clients: Object.keys(before) };
    const { findings } = await rebuildMirror({ service, url, connection, mirrored, check: false });
    expect(findings.filter((one) => one.therapistId === therapistId)).toEqual([]);
    expect(before).toMatchObject({ name: 'Ada' });
    expect(await mirroredClient(id)).toEqual({ ...before, id, name: null });
  } finally {
    await connection.close();
  }
});
