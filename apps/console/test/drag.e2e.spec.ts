// The calendar with a mouse: drag, resize, and columns of people.

import { expect, it } from '@jest/globals';
import { make, memberOf, patch, quiet, rowsOf } from '@practice/testing';
import type { Locator, Page } from 'playwright-core';
import { boxOf, furnished, signedIn, inChromium, today } from './console.js';

/** The height of an hour in pixels. */
const HOUR = 50;
/** Tomorrow: it has free times no matter what time it is now. */
const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Drags an element by a distance, slowly enough for the page to follow. */
async function drag(
  page: Page,
  place: Locator,
  { x = 0, y = 0, at = 'middle' }: { x?: number; y?: number; at?: 'middle' | 'end' },
): Promise<void> {
  // After a change, the calendar is drawn again.
  await quiet(page);
  await place.hover();
  const box = await boxOf(place);
  const [left, top] = [box.x + box.width / 2, at === 'end' ? box.y + box.height - 2 : box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x / 2, top + y / 2, { steps: 5 });
  await page.mouse.move(left + x, top + y, { steps: 5 });
  await page.mouse.up();
}

inChromium(() => {
  it('moves and resizes appointments by dragging, and reverts a move to a taken time', async () => {
    const person = await furnished();
    const [ada, grace] = person.clients;
    const at = (start_time: string, end_time: string, client_id: string | undefined) =>
      make(person, 'appointments', { date, start_time, end_time, client_id });
    const { id } = await at('10:00', '11:00', ada);
    await at('14:00', '15:00', grace);
    const { page, context } = await signedIn(person);
    await page.getByRole('button', { name: 'Day', exact: true }).click();
    await page.getByLabel('Go to day').fill(date);
    const block = page.locator(`[data-id="${id}"]`);
    const shows = (times: string): Promise<void> =>
      page.getByRole('button', { name: `Ada Lovelace ${times}` }).waitFor();

    await shows('10:00 to 11:00');
    await drag(page, block, { y: 4 * HOUR });
    await page
      .getByRole('alert')
      .getByText(/Grace Hopper, .*, 14:00 to 15:00/)
      .waitFor();
    await page.keyboard.press('Escape');
    await shows('10:00 to 11:00');

    await drag(page, block, { y: HOUR });
    await page.getByText(/^Moved Ada Lovelace to .*, 11:00$/).waitFor();
    await shows('11:00 to 12:00');
    await drag(page, block, { y: HOUR / 2, at: 'end' });
    await shows('11:00 to 12:30');
    expect(await rowsOf(person, `appointments?select=start_time,end_time&id=eq.${id}`)).toEqual([
      { start_time: '11:00', end_time: '12:30' },
    ]);
    await context.close();
  });

  it('shows the day of the practice to a user in another time zone, and makes short appointments large enough', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const times = { start_time: '10:00', end_time: '10:10', client_id };
    const { id } = await make(person, 'appointments', { date: today(), ...times });
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { page, context, errors } = await signedIn(person, { timezoneId });
      const head = page.locator('.ec-col-head.ec-today');
      const day = Number(today().slice(8));
      await head.filter({ hasText: new RegExp(`(^|\\D)${day}(\\D|$)`) }).waitFor();
      expect(await head.count()).toBe(1);
      expect((await boxOf(page.locator(`[data-id="${id}"]`))).height).toBeGreaterThanOrEqual(24);
      expect(errors).toEqual([]);
      await context.close();
    }
  });

  it('moves an appointment to another person by dragging it to the column', async () => {
    const person = await furnished();
    const { member } = await memberOf(person, 'therapist');
    const [client_id] = person.clients;
    const { id } = await make(person, 'appointments', {
      ...{ date, start_time: '10:00', end_time: '11:00', client_id, practitioner_id: person.therapistId },
    });
    const { page, context } = await signedIn(person);
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByLabel('Go to day').fill(date);
    const columns = page.locator('.ec-col-head');
    await columns.nth(2).waitFor();
    const [first, second] = [await boxOf(columns.nth(0)), await boxOf(columns.nth(1))];
    await drag(page, page.locator(`[data-id="${id}"]`), { x: second.x - first.x });
    await page.getByText(/^Moved Ada Lovelace/).waitFor();
    expect(await rowsOf(person, `appointments?select=practitioner_id,start_time&id=eq.${id}`)).toEqual([
      { practitioner_id: member.therapistId, start_time: '10:00' },
    ]);
    await context.close();
  });

  it('books in the column that is clicked', async () => {
    const person = await furnished();
    await memberOf(person, 'therapist');
    const { page, context } = await signedIn(person);
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByLabel('Go to day').fill(date);
    const columns = page.locator('.ec-col-head');
    await columns.nth(2).waitFor();
    await quiet(page);
    const bookedWith = async (index: number): Promise<string | null> => {
      const head = await boxOf(columns.nth(index));
      await page.mouse.click(head.x + head.width / 2, head.y + head.height + 4 * HOUR);
      const chosen = await page.getByLabel('With').locator('option:checked').textContent();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return chosen;
    };
    const names = await columns.allTextContents();
    expect(names[2]).toBe('Whole practice');
    for (const index of [0, 1, 2]) expect(await bookedWith(index)).toBe(names[index]);
    await context.close();
  });

  it('shows the appointments of a former member in a column', async () => {
    const person = await furnished();
    const { member, membershipId } = await memberOf(person, 'therapist');
    const { id } = await make(person, 'appointments', {
      ...{ date, start_time: '10:00', end_time: '11:00', practitioner_id: member.therapistId },
    });
    await patch(person, 'memberships', { id: membershipId, status: 'removed' });
    const { page, context } = await signedIn(person);
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByLabel('Go to day').fill(date);
    await page.locator('.ec-col-head').filter({ hasText: 'Former member' }).waitFor();
    await page.locator(`[data-id="${id}"]`).waitFor();
    await context.close();
  });
});
