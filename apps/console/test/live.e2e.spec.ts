// Several browsers, and an interrupted network.

import { expect, it } from '@jest/globals';
import { make, makeAll, memberOf, patch, quiet, rowsOf } from '@practice/testing';
import { consoleUrl, furnished, signedIn, today, inChromium } from './console.js';

inChromium(() => {
  it('shows the changes of one browser in another browser', async () => {
    const person = await furnished();
    const [one, other] = [await signedIn(person), await signedIn(person)];
    const [client_id] = person.clients;
    const { id } = await make(person, 'appointments', {
      ...{ date: today(), start_time: '10:00', end_time: '10:50', client_id },
    });
    for (const { page } of [one, other]) await page.locator(`[data-id="${id}"].is-scheduled`).waitFor();
    await one.page.locator(`[data-id="${id}"]`).focus();
    await one.page.keyboard.press('c');
    await other.page.locator(`[data-id="${id}"].is-confirmed`).waitFor();
    await other.page.locator(`[data-id="${id}"]`).focus();
    await other.page.keyboard.press('x');
    await one.page.locator(`[data-id="${id}"]`).waitFor({ state: 'detached' });
    expect([...one.errors, ...other.errors]).toEqual([]);
    await one.context.close();
    await other.context.close();
  });

  it('keeps the focus and the keys on an appointment that another person changes', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const [client_id] = person.clients;
    const at = { date: today(), start_time: '10:00', end_time: '10:50' };
    const { id } = await make(person, 'appointments', { ...at, client_id });
    await page.locator(`[data-id="${id}"].is-scheduled`).focus();
    await patch(person, 'appointments', { id, status: 'confirmed' });
    await page.locator(`[data-id="${id}"].is-confirmed:focus`).waitFor();
    // While the calendar is drawn again, no element has the focus.
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('d');
    await page.locator(`[data-id="${id}"].is-completed`).waitFor();
    await context.close();
  });

  it('shows a page of a long list, and more rows on request', async () => {
    const person = await furnished();
    const body = Array.from({ length: 150 }, (_, index) => ({ name: `Client ${index}` }));
    await makeAll(person, 'clients', body);
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/clients`);
    const names = page.getByRole('main').getByRole('link');
    const more = page.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    expect(await names.count()).toBe(100);
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await names.count()).toBe(150 + person.clients.length);
    await context.close();
  });

  it('shows that it is offline, keeps the write, and catches up when it is online again', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const [client_id] = person.clients;
    const booked = { date: today(), client_id };
    const first = await make(person, 'appointments', { ...booked, start_time: '10:00', end_time: '10:50' });
    await page.locator(`[data-id="${first.id}"]`).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.locator(`[data-id="${first.id}"]`).focus();
    await page.keyboard.press('c');
    await page.getByText(/^Not confirmed: Ada Lovelace, .* 10:00: confirmed/).waitFor();
    const second = await make(person, 'appointments', { ...booked, start_time: '12:00', end_time: '12:50' });
    await context.setOffline(false);
    await page.locator(`[data-id="${second.id}"]`).waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(`[data-id="${first.id}"].is-confirmed`).waitFor();
    await context.close();
  });

  it('shows the conflicting appointment and free times, and can undo the move', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const [ada, grace] = person.clients;
    // Tomorrow has free times no matter what time it is now.
    const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const at = (start_time: string, end_time: string, client_id: string | undefined) =>
      make(person, 'appointments', { date, start_time, end_time, client_id });
    const { id } = await at('10:00', '10:50', ada);
    await at('12:00', '12:50', grace);
    await page.getByLabel('Go to day').fill(date);
    await page.locator(`[data-id="${id}"]`).waitFor();
    await quiet(page);
    await page.locator(`[data-id="${id}"]`).press('m');
    await page.getByRole('dialog').getByLabel('Time', { exact: true }).fill('12:30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/Grace Hopper, .*, 12:00 to 12:50/)
      .waitFor();
    const slots = page.getByRole('group', { name: 'Free times' }).getByRole('button');
    await slots.first().click();
    await page.getByText(/^Moved Ada Lovelace/).waitFor();
    const timesOf = () => rowsOf(person, `appointments?select=start_time&id=eq.${id}`);
    expect(await timesOf()).not.toEqual([{ start_time: '10:00' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await timesOf()).toEqual([{ start_time: '10:00' }]);

    // The history has both changes, and the past state is shown.
    // The calendar is drawn again after the undo, and a press on an element that is replaced is lost.
    await page.locator(`[data-id="${id}"]`).filter({ hasText: '10:00 to 10:50' }).click();
    await page.getByText('Undo: Appointment rescheduled').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Go back in time' }).click();
    await page.getByRole('button', { name: 'An hour ago' }).click();
    await page.getByText('The practice as it was on').waitFor();
    await page.locator('[data-id]').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.locator(`[data-id="${id}"]`).waitFor();
    await context.close();
  });

  it('opens an appointment that is pressed while unchanged appointments are read again', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const times = { start_time: '10:00', end_time: '10:50' };
    const { id } = await make(person, 'appointments', { date: today(), ...times });
    const shown = page.locator(`[data-id="${id}"]`);
    await shown.waitFor();
    await quiet(page);
    await shown.hover();
    await page.mouse.down();
    const read = page.waitForResponse((response) => response.url().includes('/appointments?'));
    await make(person, 'appointments', { date: '2031-01-01', ...times });
    await (await read).finished();
    // The screen is drawn in the next frames.
    await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)));
    await page.mouse.up();
    await page.getByRole('dialog').getByText('Appointment scheduled').waitFor();
    await context.close();
  });

  it('asks once for a word, and not at each key', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/clients`);
    const search = page.getByLabel('Search clients');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const name = new URL(request.url()).searchParams.get('name');
      if (name !== null) asked.push(name);
    });
    await search.evaluate(async (field: { value: string; dispatchEvent(event: Event): boolean }) => {
      for (const text of ['A', 'Ad', 'Ada', 'Ada L']) {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await Promise.resolve();
      }
    });
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    expect(asked.at(-1)).toBe('sim.Ada L');
    // A page that has connected late reads the same word again.
    expect(new Set(asked).size).toBeLessThan(3);
    await context.close();
  });

  it('shows that a week is loading, and ends the request when the calendar is left', async () => {
    const { page, context } = await signedIn(await furnished());
    await context.route('**/rest/v1/appointments?*', () => {});
    await page.getByRole('button', { name: 'After' }).click();
    await page.getByText('Loading appointments …').waitFor();
    const ended = page.waitForEvent('requestfailed');
    await page.getByRole('link', { name: 'Money' }).click();
    expect((await ended).url()).toContain('/rest/v1/appointments');
    await context.close();
  });

  it('shows all appointments of a week, also if a response cannot have them', async () => {
    const person = await furnished();
    const { id: service_id } = await make(person, 'service_menu', {
      ...{ name: 'Lecture', duration: 60, price: 5, capacity: 2 },
    });
    const one = {
      ...{ service_id, date: today(), client_id: person.clients[0], status: 'cancelled' },
      ...{ start_time: '10:00', end_time: '11:00' },
    };
    for (const length of [1000, 1])
      await makeAll(
        person,
        'appointments?select=id',
        Array.from({ length }, () => one),
      );
    const { page, context } = await signedIn(person);
    await page.getByLabel('Cancelled too').check();
    await page.getByText('Lecture: 1001').waitFor();
    await context.close();
  });

  it('shows a member who joins, and a changed role at once', async () => {
    const owner = await furnished();
    const { member, membershipId } = await memberOf(owner, 'therapist');
    const own = await signedIn(member);
    const { page, context } = await signedIn(owner);
    await page.getByRole('button', { name: 'People', exact: true }).click();
    const columns = page.locator('.ec-col-head');
    await columns.nth(2).waitFor();
    await memberOf(owner, 'therapist');
    await columns.nth(3).waitFor();
    const notes = own.page.getByRole('link', { name: 'Notes' });
    await notes.waitFor();
    await patch(owner, 'memberships', { id: membershipId, role: 'front_desk' });
    await notes.waitFor({ state: 'detached' });
    expect(own.errors).toEqual([]);
    await own.context.close();
    await context.close();
  });
});
