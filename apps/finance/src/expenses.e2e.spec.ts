import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, newPractice, patch, remove, type Practice } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const spend = (more: object = {}) =>
  make(practice, 'expenses', { date: '2026-01-05', amount: 12.5, ...more });

describe('an expense', () => {
  it('can be recorded, corrected and deleted', async () => {
    const paper = await spend({ description: 'paper', vendor: 'Paper & Co' });
    expect(paper).toMatchObject({ date: '2026-01-05', amount: 12.5, category: 'uncategorized' });
    await patch(practice, 'expenses', { id: paper.id, amount: 13, category: 'office', vendor: null });
    const corrected = { amount: 13, category: 'office', vendor: null, description: 'paper' };
    expect(await find(practice, 'expenses', paper.id)).toMatchObject(corrected);
    expect((await remove(practice, 'expenses', paper.id)).status).toBe(204);
    expect(await find(practice, 'expenses', paper.id)).toBeUndefined();
  });

  it('has two decimals in every answer, and may be a refund', async () => {
    const { id } = await spend({ amount: -7 });
    expect((await practice.rest(`expenses?id=eq.${id}&select=amount`)).text).toBe('[{"amount":-7.00}]');
  });

  it.each<[string, object, string]>([
    ['of nothing', { amount: 0 }, '23514'],
    ['of no amount', { amount: null }, '23502'],
    ['of a malformed amount', { amount: 'much' }, '22P02'],
    ['of more than its column holds', { amount: 10_000_000_000 }, '22003'],
    ['without a date', { date: null }, '23502'],
    ['on a day there is not', { date: '2026-02-30' }, '22008'],
    ['in a category without a name', { category: ' ' }, '23514'],
  ])('%s is refused', async (_what, wrong, code) => {
    const body = { date: '2026-01-05', amount: 1, ...wrong };
    const answer = await practice.rest('expenses', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 400, json: { code } });
  });

  it('can be found by its date', async () => {
    const own = await newPractice();
    for (const date of ['2026-03-01', '2026-03-31', '2026-04-01'])
      await make(own, 'expenses', { date, amount: 1 });
    const march = 'expenses?date=gte.2026-03-01&date=lt.2026-04-01&order=date.desc&select=date';
    expect((await own.rest(march)).json).toEqual([{ date: '2026-03-31' }, { date: '2026-03-01' }]);
  });
});
