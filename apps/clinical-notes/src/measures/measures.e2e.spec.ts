import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, memberOf, newPractice, patch, type Made, type Practice } from '@practice/testing';
import { rpc } from '../sessions/testing/notes.js';

let practice: Practice;
let client: Made;

beforeAll(async () => {
  practice = await newPractice();
  client = await make(practice, 'clients', { name: 'Ada' });
});

const calm = { 1: 0, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 0 };
const events = async (id: string): Promise<unknown> => {
  const { json } = await practice.rest(`measures_history?id=eq.${id}&select=event&order=version`);
  return (json as { event: string }[]).map(({ event }) => event);
};

describe('a measure', () => {
  it('is scored, and has its own event for self-harm', async () => {
    const answers = { ...calm, 1: 3, 2: 3, 3: 3, 9: 1 };
    const made = await make(practice, 'measures', { client_id: client.id, instrument: 'PHQ-9', answers });
    expect(made).toMatchObject({
      ...{ instrument: 'phq-9', score: 10, severity: 'moderate', loinc: '44261-6', has_risk: true },
      taken_at: expect.stringMatching(/^\d{4}/),
    });
    expect(await events(made.id)).toEqual(['MeasureTaken', 'MeasureRiskRaised']);
  });

  it('can be corrected, and the correction can be undone', async () => {
    const body = { client_id: client.id, instrument: 'phq-9', answers: calm };
    const made = await make(practice, 'measures', body);
    const change = { method: 'PATCH', body: { answers: { ...calm, 9: 2 } } };
    const changed = await practice.rest(`measures?id=eq.${made.id}`, change);
    expect(await find(practice, 'measures', made.id)).toMatchObject({ score: 3, has_risk: true });
    await patch(practice, 'measures', { ...(await find(practice, 'measures', made.id)), id: made.id });
    const undo = await rpc(practice, 'undo', { change_id: changed.headers.get('change-id') });
    expect(undo.status).toBe(200);
    const { updated_at: _, ...same } = made;
    expect(await find(practice, 'measures', made.id)).toMatchObject(same);
    expect(await events(made.id)).toEqual([
      'MeasureTaken',
      'MeasureCorrected',
      'MeasureRiskRaised',
      'MeasureCorrected',
      'MeasureRiskWithdrawn',
    ]);
  });

  it.each([
    [{ instrument: 'phq-9', answers: { 1: 1 } }, '23514'],
    [{ instrument: 'mood', answers: calm }, '23514'],
    [{ instrument: 'phq-9', answers: [1] }, '22P02'],
    [{ instrument: 'phq-9', answers: calm, score: 9 }, '428C9'],
    [{ instrument: 'phq-9' }, '23502'],
  ])('%j is refused', async (body, code) => {
    const answer = await practice.rest('measures', {
      method: 'POST',
      body: { client_id: client.id, ...body },
    });
    expect(answer).toMatchObject({ status: 400, json: { code } });
  });

  it('hides its answers and scores from events and from other roles', async () => {
    const { member } = await memberOf(practice, 'front_desk');
    expect((await member.rest('measures')).status).toBe(403);
    const reads = await practice.rest('access_log?resource=eq.measures&limit=1');
    expect(reads.json).toHaveLength(1);
  });
});

describe('a diagnosis', () => {
  it('needs a code in the format of ICD-10-CM, and cannot end before it began', async () => {
    const write = (body: object) =>
      practice.rest('diagnoses', { method: 'POST', body: { client_id: client.id, ...body } });
    for (const code of ['F41.1', 'F32.0', 'Z63', 'S72.001A', 'U07.1'])
      expect((await write({ code, since: '2026-01-01', until: '2026-02-01' })).status).toBe(201);
    for (const code of ['F4', 'f41.1', 'F41.', 'F41.12345', '41.1', 'F41 1', '', "F41'"])
      expect(await write({ code })).toMatchObject({ status: 400, json: { code: '23514' } });
    expect(await write({ code: 'F41.1', since: '2026-02-01', until: '2026-01-01' })).toMatchObject({
      status: 400,
      json: { code: '23514' },
    });
    const embedded = await practice.rest(
      `clients?id=eq.${client.id}&select=diagnoses(code)&diagnoses.code=eq.Z63`,
    );
    expect(embedded.json).toEqual([{ diagnoses: [{ code: 'Z63' }] }]);
  });
});
