// The settings of a practice exist from the start, for reads, changes, past states and undo.

import { describe, expect, it } from '@jest/globals';
import { eventually, make, newPractice, type Answer, type Practice } from '@practice/testing';

const defaults = {
  time_zone: 'UTC',
  currency: 'EUR',
  slot_step: 15,
  buffer_before: 0,
  buffer_after: 0,
  minimum_notice: 0,
  booking_horizon: 365,
  enforce_booking_rules: false,
};

const patch = (practice: Practice, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  practice.rest(`practice_settings?id=eq.${practice.therapistId}`, {
    method: 'PATCH',
    body,
    headers: { prefer: 'return=representation', ...headers },
  });

async function settings(practice: Practice, query = ''): Promise<Record<string, unknown>> {
  const { status, json } = await practice.rest(`practice_settings${query}`);
  expect(status).toBe(200);
  expect(json).toHaveLength(1);
  return (json as [Record<string, unknown>])[0];
}

const changeOf = ({ headers }: Answer): string => headers.get('change-id') ?? '';

describe('practice_settings', () => {
  it('has the defaults before anything was changed', async () => {
    const practice = await newPractice();
    const { therapistId } = practice;
    expect(await settings(practice)).toMatchObject({
      id: therapistId,
      therapist_id: therapistId,
      ...defaults,
    });
    expect(await settings(practice, '?select=slot_step&slot_step=lt.20')).toEqual({ slot_step: 15 });
    expect((await practice.rest('practice_settings?slot_step=gt.20')).json).toEqual([]);
    expect((await practice.rest('practice_settings', { headers: { accept: 'text/csv' } })).text).toContain(
      'UTC',
    );
  });

  it('takes only currency codes of ISO 4217', async () => {
    const practice = await newPractice();
    for (const currency of ['eur', 'ABC', '', 'EURO']) {
      const refused = await patch(practice, { currency });
      expect([currency, refused.status]).toEqual([currency, 400]);
    }
    expect((await patch(practice, { currency: 'CHF' })).json).toMatchObject([{ currency: 'CHF' }]);
  });

  it('keeps its currency once an invoice is finalized', async () => {
    const practice = await newPractice();
    const { id: client_id } = await make(practice, 'clients', { name: 'Ada' });
    const { id: invoice_id } = await make(practice, 'invoices', { client_id });
    await make(practice, 'invoice_items', { invoice_id, description: 'A session', unit_price: 110 });
    expect((await patch(practice, { currency: 'CHF' })).status).toBe(200);
    const finalized = { method: 'POST', body: { invoice_id } };
    expect((await practice.rest('rpc/finalize_invoice', finalized)).status).toBe(200);
    await eventually('another currency is refused', async () => {
      const { status, json } = await patch(practice, { currency: 'USD' }, { prefer: 'tx=rollback' });
      return status === 409 && (json as { code: string }).code === 'PM021';
    });
    expect((await patch(practice, { slot_step: 20 })).json).toMatchObject([{ currency: 'CHF' }]);
  });

  it('stores the first change and every later change', async () => {
    const practice = await newPractice();
    const first = await patch(practice, { time_zone: 'Europe/Berlin' });
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject([{ ...defaults, time_zone: 'Europe/Berlin' }]);
    expect(await settings(practice)).toEqual((first.json as object[])[0]);
    await patch(practice, { slot_step: 20, enforce_booking_rules: true });
    expect(await settings(practice)).toMatchObject({
      ...defaults,
      ...{ time_zone: 'Europe/Berlin', slot_step: 20, enforce_booking_rules: true },
    });
    const history = await practice.rest('practice_settings_history?select=event,version&order=version');
    expect(history.json).toEqual([
      { event: 'BookingRulesSet', version: 1 },
      { event: 'BookingRulesChanged', version: 2 },
    ]);
  });

  it('accepts the whole record as it was read', async () => {
    const practice = await newPractice();
    const answer = await patch(practice, { ...(await settings(practice)), buffer_after: 10 });
    expect([answer.status, answer.json]).toMatchObject([200, [{ buffer_after: 10 }]]);
    const stale = await patch(
      practice,
      { ...(await settings(practice)), buffer_after: 20 },
      { 'if-match': '"0"' },
    );
    expect(stale.status).toBe(412);
  });

  it('shows past states, including the state before the first change', async () => {
    const practice = await newPractice();
    const before = new Date().toISOString();
    await patch(practice, { time_zone: 'Asia/Tokyo' });
    const between = (await settings(practice))['updated_at'] as string;
    await patch(practice, { time_zone: 'Asia/Seoul' });
    const zoneAt = async (instant: string): Promise<unknown> =>
      (await settings(practice, `?as_of=${encodeURIComponent(instant)}`))['time_zone'];
    expect([await zoneAt(before), await zoneAt(between)]).toEqual(['UTC', 'Asia/Tokyo']);
    const path = `practice_settings?id=eq.${practice.therapistId}&select=version&as_of=${before}`;
    const first = await practice.rest(path);
    expect([first.json, first.headers.get('etag')]).toEqual([[{ version: 0 }], '"0"']);
  });

  it('is restored by an undo, even of the first change', async () => {
    const practice = await newPractice();
    const start = await settings(practice);
    const first = await patch(practice, { buffer_before: 5 });
    const second = await patch(practice, { buffer_before: 10 });
    const undo = (change: string): Promise<Answer> =>
      practice.rest('rpc/undo', { method: 'POST', body: { change_id: change } });
    expect((await undo(changeOf(second))).status).toBe(200);
    expect(await settings(practice)).toMatchObject({ buffer_before: 5 });
    expect((await undo(changeOf(first))).status).toBe(200);
    expect(await settings(practice)).toEqual(start);
    expect((await patch(practice, { buffer_before: 30 })).json).toMatchObject([{ buffer_before: 30 }]);
  });

  it.each([
    [{ time_zone: 'Mars/Olympus' }, '23514'],
    [{ time_zone: '+02:00' }, '23514'],
    [{ time_zone: '' }, '23514'],
    [{ time_zone: null }, '23502'],
    [{ slot_step: 0 }, '23514'],
    [{ buffer_before: -1 }, '23514'],
    [{ buffer_after: 'ten' }, '22P02'],
    [{ minimum_notice: -1 }, '23514'],
    [{ booking_horizon: 0 }, '23514'],
    [{ enforce_booking_rules: null }, '23502'],
    [{ id: '01890000-0000-7000-8000-000000000000' }, '428C9'],
  ])('refuses %j with %s and keeps the record', async (change, code) => {
    const practice = await newPractice();
    const answer = await patch(practice, change);
    expect([answer.status, answer.json]).toMatchObject([400, { code }]);
    expect(await settings(practice)).toMatchObject(defaults);
  });

  it('cannot be created or deleted', async () => {
    const practice = await newPractice();
    const made = await practice.rest('practice_settings', { method: 'POST', body: {} });
    const gone = await practice.rest(`practice_settings?id=eq.${practice.therapistId}`, { method: 'DELETE' });
    expect([made.status, gone.status]).toEqual([405, 405]);
  });

  it('applies two simultaneous first changes one after the other', async () => {
    const practice = await newPractice();
    const answers = await Promise.all([
      patch(practice, { buffer_before: 5 }),
      patch(practice, { buffer_after: 5 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await settings(practice)).toMatchObject({ buffer_before: 5, buffer_after: 5 });
  });
});
