// A day at the front desk with only the keyboard.

import { expect, it } from '@jest/globals';
import { memberOf, quiet, rowsOf } from '@practice/testing';
import type { Page } from 'playwright-core';
import { consoleUrl, furnished, signedIn, inChromium } from './console.js';

/** Presses Tab until a control with this name has the focus. @param toast a part of the text of the toast that has the control */
async function tabTo(page: Page, name: string, toast = ''): Promise<void> {
  const focused = `{
    const one = document.activeElement;
    [one.getAttribute("aria-label") ?? one.textContent.trim(), one.closest(".toast")?.textContent ?? ""];
  }`;
  for (let presses = 0; presses < 120; presses += 1) {
    const [label, around] = await page.evaluate<[string, string]>(focused);
    if (label === name && around.includes(toast)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}.`);
}

inChromium(() => {
  it('books, confirms, moves, bills, cancels and undoes with keys', async () => {
    const person = await furnished();
    const { page, errors } = await signedIn(person);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const appointment = async (columns: string): Promise<unknown> =>
      (await rowsOf(person, `appointments?select=${columns}`))[0];

    // Two weeks from now, so that no day of the week is in the past.
    await press('PageDown', 'PageDown', 'n');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await page.keyboard.type('lov');
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Free times' }).getByRole('button').first().waitFor();
    await press('Enter');
    await page.getByText(/^Booked Ada Lovelace/).waitFor();
    const block = page.locator('[data-id]');
    await block.waitFor();
    expect(await block.getAttribute('aria-label')).toMatch(/^Ada Lovelace 08:00 to 08:50, .*, scheduled$/);

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Appointments' }).and(page.locator(':focus')).waitFor();
    await press('ArrowRight', 'c');
    await page.locator('.is-confirmed').waitFor();
    await page
      .locator('[data-id]:focus')
      .or(page.getByRole('region', { name: 'Appointments' }))
      .first()
      .waitFor();

    await quiet(page);
    await page.locator('[data-id]').first().focus();
    await press('m');
    await page.getByRole('group', { name: 'Free times' }).locator('button:focus').waitFor();
    await press('Enter');
    await page.getByText(/^Moved Ada Lovelace/).waitFor();
    expect(await appointment('start_time,status')).toEqual({ start_time: '09:00', status: 'confirmed' });

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[data-id]:focus').waitFor();
    await press('p');
    await page.getByLabel('Amount in EUR').and(page.locator(':focus')).waitFor();
    await press('Enter');
    await page.getByText(/^Payment of €110.00 by Ada Lovelace/).waitFor();

    await page.locator('[data-id]:focus').waitFor();
    await press('x');
    await page.getByText(/^Ada Lovelace, .*: cancelled$/).waitFor();
    await page.locator('[data-id]').waitFor({ state: 'detached' });
    // Earlier toasts have an undo too, and disappear after their time.
    await tabTo(page, 'Undo', 'cancelled');
    await press('Enter');
    await page.locator('[data-id]').waitFor();
    expect(await appointment('status')).toEqual({ status: 'confirmed' });

    await tabTo(page, 'Clients');
    await press('Enter');
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    await tabTo(page, 'New client');
    await press('Enter');
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Mary Shelley');
    await press('Enter');
    await page.getByRole('heading', { name: 'Mary Shelley' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('books a series, writes the note of an appointment, and opens an appointment with a click', async () => {
    const person = await furnished();
    const { page, errors } = await signedIn(person);
    await page.getByRole('button', { name: 'After' }).click();
    await page.getByRole('button', { name: 'New appointment' }).click();
    await page.getByLabel('Repeat').selectOption('Every week');
    await page.getByLabel('Times', { exact: true }).fill('3');
    await page.getByRole('group', { name: 'Free times' }).getByRole('button').first().waitFor();
    await page.getByRole('option', { name: 'Grace Hopper' }).click();
    await page.getByText(/^Booked Grace Hopper: .*, 3 times$/).waitFor();
    expect(await rowsOf(person, 'appointments?select=count()')).toEqual([{ count: 3 }]);
    await page.locator('[data-id]').first().waitFor();
    await quiet(page);

    await page.locator('[data-id]').first().click();
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.getByText('Appointment scheduled').waitFor();
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByLabel('subjective').waitFor();
    expect(await rowsOf(person, 'sessions?select=status')).toEqual([{ status: 'draft' }]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('accepts a day that is typed part by part, and says that a day is missing', async () => {
    const { page, context, errors } = await signedIn(await furnished());
    const day = page.getByLabel('Go to day');
    await day.fill('2031-01-30');
    await day.focus();
    // 30 February, until the day is typed too.
    await page.keyboard.type('02');
    expect(await day.inputValue()).toBe('');
    await page.keyboard.type('15');
    await page.getByRole('heading', { level: 1, name: 'Feb 10 – Feb 16, 2031' }).waitFor();
    await page.getByRole('region', { name: 'Appointments' }).press('n');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await page.getByLabel('Day', { exact: true }).fill('');
    await page.getByRole('combobox', { name: 'Book for' }).press('Enter');
    await page.getByText('Not done: Booked').waitFor();
    expect(errors.filter((error) => !error.startsWith('400 '))).toEqual([]);
    await context.close();
  });

  it('books for the whole practice if the user holds no appointments', async () => {
    const owner = await furnished();
    await memberOf(owner, 'therapist');
    const { member } = await memberOf(owner, 'front_desk');
    const { page, context, errors } = await signedIn(member);
    await page.keyboard.press('n');
    const chosen = page.getByLabel('With').locator('option:checked');
    expect(await chosen.textContent()).toBe('Whole practice');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Booked/).waitFor();
    expect(await rowsOf(owner, 'appointments?select=practitioner_id')).toEqual([{ practitioner_id: null }]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('offers the front desk no undo that needs the right to delete', async () => {
    const owner = await furnished();
    const { member } = await memberOf(owner, 'front_desk');
    const { page, context, errors } = await signedIn(member);
    await page.goto(`${consoleUrl()}#/clients`);
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('Mary Shelley');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Client registered').waitFor();
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByRole('status').getByText('Saved Mary Shelley').waitFor();
    expect(await undo.count()).toBe(0);
    await page.getByLabel('New entry').fill('Called back');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('status').getByText('Added to the conversation').waitFor();
    await page.getByRole('button', { name: 'Payment…' }).click();
    await page.getByLabel('Amount in EUR').fill('100');
    await page.getByRole('button', { name: 'Take the payment' }).click();
    await page.getByRole('status').getByText('Payment of €100.00').waitFor();
    expect(await undo.count()).toBe(0);

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Phone').fill('+44 20 7946 0000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.getByRole('status').getByText('Undone').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
