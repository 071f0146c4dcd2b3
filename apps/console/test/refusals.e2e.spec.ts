// The console under problems: an unavailable service, a session that is over, a slow answer.

import { expect, it } from '@jest/globals';
import { eventually, make, newPractice, patch, quiet, rowsOf } from '@practice/testing';
import { Secret, TOTP } from 'otpauth';
import {
  consoleUrl,
  fillSignIn,
  furnished,
  heldBack,
  inChromium,
  opened,
  signedIn,
  today,
} from './console.js';

inChromium(() => {
  it('shows the reason if the practice does not open, and opens it on another attempt', async () => {
    const person = await newPractice();
    const { page, context } = await opened();
    // Only this call is faked: no spec on the shared stack may stop a service.
    const path = '**/rest/v1/rpc/current_identity*';
    const body = { code: 'PM503', message: 'The service is away', details: null, hint: 'Wait a minute.' };
    await context.route(path, (route) => route.fulfill({ status: 503, json: body }));
    await fillSignIn(page, person);
    await page.getByRole('heading', { name: 'The practice is not open' }).waitFor();
    await page.getByRole('alert').getByText('Wait a minute.').waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('The service is away').waitFor();
    await context.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Appointments' }).waitFor();
    await context.close();
  });

  it('writes once if the answer is lost and the user presses the button again', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const loseAnswer = async (path: string): Promise<void> => {
      let isLost = false;
      await context.route(path, async (route) => {
        if (isLost || route.request().method() !== 'POST') return route.fallback();
        isLost = true;
        await route.fetch();
        await route.abort();
      });
    };
    const sendTwice = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByText('The server cannot be reached.').last().waitFor();
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const count = async (path: string): Promise<number> => (await rowsOf(person, path)).length;
    await page.goto(`${consoleUrl()}#/clients/${person.clients[0]}`);
    await loseAnswer('**/rest/v1/rpc/batch*');
    await page.getByRole('button', { name: 'Payment…' }).click();
    await page.getByLabel('Amount in EUR').fill('100');
    await sendTwice('Take the payment');
    expect(await count('payments')).toBe(1);

    await page.goto(`${consoleUrl()}#/clients`);
    await page.reload();
    await loseAnswer('**/rest/v1/clients*');
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('Mary Somerville');
    await sendTwice('Save');
    expect(await count('clients?name=eq.Mary Somerville')).toBe(1);
    await context.close();
  });

  it('writes once if a proxy answers in the place of the API', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    let isFirst = true;
    await context.route('**/rest/v1/clients*', async (route) => {
      if (!isFirst || route.request().method() !== 'POST') return route.fallback();
      isFirst = false;
      await route.fetch();
      const body = '<html><body><h1>503 Service Unavailable</h1></body></html>';
      await route.fulfill({ status: 503, contentType: 'text/html', body });
    });
    await page.goto(`${consoleUrl()}#/clients`);
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('Mary Somerville');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const toast = page.locator('.toast').filter({ hasText: 'Mary Somerville' });
    await toast.waitFor();
    expect(await toast.textContent()).toMatch(/The server cannot be reached\.\s*Not confirmed/);
    await save.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rowsOf(person, 'clients?select=name&name=like.Mary*')).toEqual([
      { name: 'Mary Somerville' },
    ]);
    await context.close();
  });

  it('writes once if the user presses a button twice', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/clients/${person.clients[0]}`);
    await page.getByLabel('New entry').fill('Called back');
    await page.getByRole('button', { name: 'Add', exact: true }).dblclick();
    await page.getByRole('status').getByText('Added to the conversation').nth(1).waitFor();
    expect(await rowsOf(person, 'conversation_log?select=content')).toEqual([{ content: 'Called back' }]);
    await page.getByRole('button', { name: 'Write a note' }).dblclick();
    await page.getByRole('status').getByText('Note begun').nth(1).waitFor();
    expect(await rowsOf(person, 'sessions?select=status')).toEqual([{ status: 'draft' }]);
    const [client_id] = person.clients;
    const times = { date: today(), start_time: '10:00', end_time: '10:50' };
    const { id } = await make(person, 'appointments', { ...times, client_id });
    await page.goto(`${consoleUrl()}#/calendar`);
    await page.locator(`[data-id="${id}"]`).waitFor();
    await quiet(page);
    await page.locator(`[data-id="${id}"]`).press('w');
    await page.keyboard.press('w');
    await page.getByText('Appointment of').waitFor();
    expect(await rowsOf(person, 'sessions?select=appointment_id&order=created_at')).toEqual([
      { appointment_id: null },
      { appointment_id: id },
    ]);
    await context.close();
  });

  it('books the client whose name was typed, if Enter comes before the list', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await page.keyboard.press('n');
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor();
    const first = await page.getByRole('option').first().textContent();
    const typed = first?.includes('Ada') ? 'Grace' : 'Ada';
    const answer = await heldBack(context, '**/rest/v1/clients*');
    await page.getByRole('combobox', { name: 'Book for' }).fill(typed);
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('status').getByText(`Booked ${typed}`).waitFor();
    await context.close();
  });

  it('books the client who is shown as chosen, while the list is read again after a change', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await page.keyboard.press('n');
    const choices = page.getByRole('option', { selected: true }).locator('strong');
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor();
    await quiet(page);
    const first = await choices.textContent();
    // The list begins with the client who was changed last.
    const [, second] = await rowsOf(person, 'clients?select=id&order=updated_at.desc');
    const answer = await heldBack(context, '**/rest/v1/clients?*');
    const read = page.waitForRequest('**/rest/v1/clients?*');
    await patch(person, 'clients', { id: String(second?.id), phone: '+44 20 7946 0000' });
    await read;
    await page.keyboard.press('Enter');
    answer();
    await page.getByText(/^Booked/).waitFor();
    expect(await rowsOf(person, 'appointments?select=client_name')).toEqual([{ client_name: first }]);

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await quiet(page);
    await page.keyboard.press('n');
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const chosen = await choices.textContent();
    const [, last] = await rowsOf(person, 'clients?select=id,name&order=updated_at.desc');
    expect(last).toMatchObject({ name: chosen });
    await patch(person, 'clients', { id: String(last?.id), phone: '+44 20 7946 0001' });
    await page
      .getByRole('option')
      .first()
      .filter({ hasText: String(chosen) })
      .waitFor();
    expect(await choices.textContent()).toBe(chosen);
    await context.close();
  });

  it('books the first free time, if Enter comes before the free times', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    const answer = await heldBack(context, '**/rest/v1/rpc/free_slots*');
    await page.keyboard.press('n');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    const read = page.waitForResponse('**/rest/v1/rpc/free_slots*');
    await page.keyboard.press('Enter');
    answer();
    const [first] = (await (await read).json()) as { date: string; start_time: string }[];
    await page.getByRole('status').getByText('Booked').waitFor();
    expect(await rowsOf(person, 'appointments?select=date,start_time')).toEqual([
      { date: first?.date, start_time: first?.start_time },
    ]);
    await context.close();
  });

  it('names the rule if an appointment would end on the next day', async () => {
    const { page, context } = await signedIn(await furnished());
    await page.keyboard.press('n');
    await page.getByLabel('Time', { exact: true }).fill('23:30');
    await page.getByRole('button', { name: 'Block the time' }).click();
    await page.getByRole('status').getByText('end_time must be after start_time, not "00:').waitFor();
    await context.close();
  });

  const tooMany = {
    code: 'PM004',
    message: 'Too many requests',
    details: 'Retry after 1 second.',
    hint: null,
  };

  const tooSlow = {
    code: '57014',
    message: 'canceling statement due to statement timeout',
    details: null,
    hint: null,
  };

  it('gives the reason if nothing was downloaded', async () => {
    const { page, context } = await signedIn(await furnished());
    await page.goto(`${consoleUrl()}#/explorer`);
    await page.getByRole('region', { name: 'Rows' }).waitFor();
    await context.route('**/rest/v1/appointments*', (route) => route.fulfill({ status: 429, json: tooMany }));
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    await page.getByText('Nothing was downloaded. Retry after 1 second.').waitFor();
    await context.close();
  });

  it.each([
    ['too many requests', 429, tooMany, 'Too many requests'],
    ['a read that took too long', 504, tooSlow, 'The server took too long to answer.'],
  ])('reads again by itself after %s', async (_, status, json, shown) => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await context.route('**/rest/v1/clients*', (route) => route.fulfill({ status, json }));
    await page.goto(`${consoleUrl()}#/clients`);
    await page.getByRole('alert').getByText(shown).waitFor();
    await context.unroute('**/rest/v1/clients*');
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await context.close();
  });

  it('shows what is loading, and shows no amount before it is known', async () => {
    const person = await furnished();
    const { page, context, errors } = await signedIn(person);
    const answer = await heldBack(context, '**/rest/v1/**');
    await page.goto(`${consoleUrl()}#/clients/${person.clients[0]}`);
    await page.getByText('Loading the client …').waitFor();
    const balance = page.getByRole('region', { name: 'Balance' });
    await balance.getByText('Loading the balance …').waitFor();
    expect(await balance.textContent()).not.toContain('0.00');
    await page.reload();
    await page.getByText('Loading the practice …').waitFor();
    answer();
    await balance.getByText('€0.00').first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('returns to the sign-in with the reason after the session was ended elsewhere', async () => {
    const person = await furnished();
    const [one, other] = [await signedIn(person), await signedIn(person)];
    await other.page.goto(`${consoleUrl()}#/practice/account`);
    const sessions = other.page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'this one' }).waitFor();
    for (let left = await sessions.count(); left > 1; left -= 1) {
      await sessions.getByRole('button', { name: 'End', exact: true }).first().click();
      await eventually('the session is gone', async () => (await sessions.count()) < left);
    }
    await one.page.goto(`${consoleUrl()}#/clients`);
    await one.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await one.page.getByRole('alert').getByText('session has ended').waitFor();
    await fillSignIn(one.page, person);
    await one.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await one.context.close();
    await other.context.close();
  });

  it('offers a second factor to a member without one if the practice requires it', async () => {
    const person = await newPractice();
    const code = (secret: string, later = 0): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 });
    const { page, context } = await opened();
    // The request is answered here, like by a practice that requires a second factor.
    const body = { code: 'insufficient_aal', message: 'AAL2 required', details: null, hint: null };
    const path = '**/rest/v1/rpc/current_identity*';
    await context.route(path, (route) => route.fulfill({ status: 403, json: body }));
    await fillSignIn(page, person);
    await page.getByRole('alert').getByText('AAL2 required').first().waitFor();
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    const secret = (await page.locator('form code').textContent()) ?? '';
    await context.unroute(path);
    await page.getByLabel('Code of the app').fill(code(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await context.close();
  });

  it('shows the role as it is after a refused change, and names what was not done', async () => {
    const owner = await furnished();
    await make(owner, 'memberships', { email: 'mary@example.com', role: 'therapist' });
    const { page, context } = await signedIn(owner);
    await page.goto(`${consoleUrl()}#/practice/people`);
    await context.route('**/rest/v1/memberships*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { ...tooMany, code: '42501', message: 'permission denied' } })
        : route.continue(),
    );
    const role = page.getByLabel('Role of mary@example.com');
    await role.selectOption('owner');
    await page.getByRole('status').getByText('Not done: mary@example.com: owner').waitFor();
    expect(await role.inputValue()).toBe('therapist');
    await context.close();
  });

  it('does not take back the change that another person makes while a form is open', async () => {
    const person = await furnished();
    const [id = ''] = person.clients;
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/clients/${id}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Phone').fill('+44 20 7946 0000');
    await patch(person, 'clients', { id, email: 'ada@example.com' });
    await page.getByText('ada@example.com').first().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not done: Saved Ada Lovelace').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+44 20 7946 0000');
    expect(await rowsOf(person, 'clients?select=email&name=like.Ada*')).toEqual([
      { email: 'ada@example.com' },
    ]);
    await context.close();
  });

  it('asks for a reload if a screen is gone, as after an upgrade', async () => {
    const { page, context } = await signedIn(await furnished());
    await context.route('**/console/*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Money' }).click();
    await page.getByRole('alert').getByText('Reload the page.').waitFor();
    await context.close();
  });
});
