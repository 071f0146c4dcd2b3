// Series in the console: the following appointments are changed and cancelled, and the series ends.

import { expect, it } from '@jest/globals';
import { make, quiet, rowsOf } from '@practice/testing';
import { furnished, signedIn, inChromium } from './console.js';

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

inChromium(() => {
  it('changes and cancels an appointment with the following ones, and ends the series', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    await make(person, 'appointment_series', {
      ...{ client_id, date: dayIn(7), start_time: '10:00', end_time: '10:50' },
      rrule: 'FREQ=WEEKLY;COUNT=4',
    });
    const { page, errors, context } = await signedIn(person);
    const times = async (): Promise<string[]> => {
      const path = 'appointments?select=start_time,status&order=date';
      const rows = await rowsOf<{ start_time: string; status: string }>(person, path);
      return rows.map(({ start_time, status }) => (status === 'cancelled' ? 'cancelled' : start_time));
    };
    const open = async (days: number): Promise<void> => {
      await page.getByLabel('Go to day').fill(dayIn(days));
      await quiet(page);
      await page.getByRole('button', { name: /^Ada Lovelace/ }).click();
      await page.getByRole('group', { name: 'Series' }).waitFor();
    };
    await page.getByRole('button', { name: 'Day', exact: true }).click();

    await open(14);
    await page.getByRole('button', { name: 'Move…' }).click();
    await page.getByLabel('The following ones of the series too').check();
    await page.getByLabel('Time', { exact: true }).fill('11:00');
    await page.getByLabel('Remark').fill('In the garden');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed the series of Ada Lovelace').waitFor();
    expect(await times()).toEqual(['10:00', '11:00', '11:00', '11:00']);
    expect(await rowsOf(person, 'appointments?select=count()&notes=eq.In the garden')).toEqual([
      { count: 3 },
    ]);

    await open(21);
    await page.getByRole('button', { name: 'Cancel it and the following' }).click();
    await page.getByText(/and the following ones: cancelled$/).waitFor();
    expect(await times()).toEqual(['10:00', '11:00', 'cancelled', 'cancelled']);
    const toast = page.locator('.toast').filter({ hasText: 'following ones: cancelled' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await times()).toEqual(['10:00', '11:00', '11:00', '11:00']);

    await open(14);
    await page.getByRole('button', { name: 'End the series' }).click();
    await page.getByText('The series of Ada Lovelace has ended').waitFor();
    expect(new Set(await times())).toEqual(new Set(['cancelled']));
    expect(errors).toEqual([]);
    await context.close();
  });
});
