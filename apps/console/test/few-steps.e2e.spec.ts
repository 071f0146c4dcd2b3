// The work of a day takes at most three keys or two clicks from the calendar. The browser counts them.

import { expect, it } from '@jest/globals';
import { make, quiet } from '@practice/testing';
import type { Locator, Page } from 'playwright-core';
import { boxOf, consoleUrl, furnished, signedIn, inChromium } from './console.js';

const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Counts the clicks and the keys during some work. */
async function countOf(page: Page, work: () => Promise<unknown>): Promise<{ clicks: number; keys: number }> {
  await page.evaluate(`
    window.counts = { clicks: 0, keys: 0 };
    window.countClick = () => { window.counts.clicks += 1; };
    window.countKey = () => { window.counts.keys += 1; };
    addEventListener('pointerdown', window.countClick, true);
    addEventListener('keydown', window.countKey, true);`);
  await work();
  return page.evaluate(`
    removeEventListener('pointerdown', window.countClick, true);
    removeEventListener('keydown', window.countKey, true);
    window.counts`);
}

inChromium(() => {
  /** Opens the calendar on a day with an appointment at ten. */
  async function calendar() {
    const person = await furnished();
    const [client_id] = person.clients;
    const times = { date, start_time: '10:00', end_time: '10:50', price: 110 };
    const { id } = await make(person, 'appointments', { ...times, client_id });
    const { page, context, errors } = await signedIn(person);
    await page.getByRole('button', { name: 'Day', exact: true }).click();
    await page.getByLabel('Go to day').fill(date);
    const block = page.locator(`[data-id="${id}"]`);
    await block.waitFor();
    await quiet(page);
    return { page, context, errors, block };
  }
  /** Waits for the message about the work, and returns to the calendar. */
  async function done(page: Page, message: RegExp): Promise<void> {
    await page.getByText(message).first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // A message also disappears without a click, so all messages are closed in one step.
    const closing = page.getByRole('button', { name: 'Close' });
    await closing.evaluateAll((buttons) => buttons.forEach((button) => button.click()));
    // A press on an element that is replaced is lost.
    await quiet(page);
  }
  const freeTimes = (page: Page): Locator =>
    page.getByRole('group', { name: 'Free times' }).getByRole('button');

  it('takes two clicks to book, to move, to take a payment, to cancel and to write a note', async () => {
    const { page, context, errors, block } = await calendar();
    const two = { clicks: 2, keys: 0 };
    const inTwo = async (work: () => Promise<unknown>, message: RegExp): Promise<void> => {
      expect(await countOf(page, work)).toEqual(two);
      await done(page, message);
    };
    await inTwo(async () => {
      const box = await boxOf(block);
      await page.mouse.click(box.x + box.width / 2, box.y + 3 * box.height);
      await page.getByRole('option', { name: 'Grace Hopper' }).click();
    }, /^Booked Grace Hopper/);
    await inTwo(async () => {
      await block.click();
      await freeTimes(page).first().click();
    }, /^Moved Ada Lovelace/);
    await inTwo(async () => {
      await block.click();
      await page.getByRole('button', { name: 'Paid €110.00 by card' }).click();
    }, /^Payment of €110.00 by Ada Lovelace/);
    await page.getByRole('button', { name: /^Grace Hopper/ }).waitFor();
    await inTwo(async () => {
      await page.getByRole('button', { name: /^Grace Hopper/ }).click();
      await page.getByRole('button', { name: 'Cancel it' }).click();
    }, /^Grace Hopper, .*: cancelled$/);
    await inTwo(async () => {
      await block.click();
      await page.getByRole('button', { name: 'Note', exact: true }).click();
    }, /^Note begun/);
    await page.getByLabel('subjective').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('takes at most three keys for the same work', async () => {
    const { page, context, errors, block } = await calendar();
    const inKeys = async (keys: readonly string[], ready: Locator, message: RegExp): Promise<void> => {
      const [first = '', ...others] = keys;
      const work = async (): Promise<void> => {
        await page.keyboard.press(first);
        if (others.length > 0) await ready.waitFor();
        for (const key of others) await page.keyboard.press(key);
      };
      expect(await countOf(page, work)).toEqual({ clicks: 0, keys: keys.length });
      expect(keys.length).toBeLessThanOrEqual(3);
      await done(page, message);
    };
    await page.getByRole('region', { name: 'Appointments' }).focus();
    // The first client and the first free time are chosen.
    const choices = page.getByRole('dialog').filter({ has: page.getByRole('option') });
    const ready = choices.filter({ has: freeTimes(page) });
    await inKeys(['n', 'Enter'], ready, /^Booked (Ada Lovelace|Grace Hopper)/);
    await block.focus();
    await inKeys(['m', 'Enter'], page.locator('[role=dialog] button:focus'), /^Moved Ada Lovelace/);
    await block.focus();
    await inKeys(['p', 'Enter'], page.getByLabel('Amount in EUR').and(page.locator(':focus')), /^Payment of/);
    await block.focus();
    await inKeys(['w'], block, /^Note begun/);
    await page.goto(`${consoleUrl()}#/calendar`);
    await page.getByLabel('Go to day').fill(date);
    await block.waitFor();
    await quiet(page);
    await block.focus();
    await inKeys(['x'], block, /^Ada Lovelace, .*: cancelled$/);
    expect(errors).toEqual([]);
    await context.close();
  });
});
