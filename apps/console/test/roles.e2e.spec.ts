// For each role, every screen in its navigation works, and the practice switch leads to another practice.

import { beforeAll, expect, it } from '@jest/globals';
import { eventually, make, memberOf, newPractice, patient, quiet, signIn, write } from '@practice/testing';
import { consoleUrl, furnished, inChromium, signedIn, today, type Practice } from './console.js';

inChromium(() => {
  let owner: Awaited<ReturnType<typeof furnished>>;
  beforeAll(async () => {
    owner = await furnished();
    const [client_id] = owner.clients;
    await make(owner, 'appointments', { date: today(), start_time: '10:00', end_time: '10:50', client_id });
    const { id } = await make(owner, 'invoices', { client_id });
    await make(owner, 'invoice_items', { invoice_id: id, description: 'Session', unit_price: 110 });
    await write(owner, 'rpc/finalize_invoice', { method: 'POST', body: { invoice_id: id } });
    await make(owner, 'payments', { client_id, date: today(), amount: 50, method: 'card' });
    await make(owner, 'sessions', { client_id, plan: 'Rest.' });
  });

  /** A new member of the practice, who can sign in. */
  async function personWith(role: Parameters<typeof memberOf>[1]): Promise<Practice> {
    return (await memberOf(owner, role)).member;
  }

  it.each(['therapist', 'front_desk', 'billing', 'read_only'] as const)(
    'opens every screen and record that it offers to %s, without a refusal',
    async (role) => {
      const { page, context, errors } = await signedIn(await personWith(role));
      /** A read that a busy machine answers late is shown as an alert until the page has read again. */
      const expectNoAlert = async (): Promise<void> => {
        const texts = () => page.getByRole('alert').allTextContents();
        await eventually('no alert is left', async () => (await texts()).length === 0).catch(() => undefined);
        expect(await texts()).toEqual([]);
      };
      const screens = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
      for (const screen of await screens.all()) {
        await screen.click();
        // The previous screen may still be shown, with its own links.
        await screen.and(page.locator('[aria-current=page]')).waitFor();
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await quiet(page);
        const pages = page.getByRole('navigation', { name: 'Practice' }).getByRole('link');
        for (const each of await pages.all()) {
          await each.click();
          await quiet(page);
        }
      }
      await screens.filter({ hasText: 'Clients' }).click();
      await page.getByRole('link', { name: 'Ada Lovelace' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
      await quiet(page);
      await page.getByRole('region', { name: 'Appointments' }).getByRole('button').first().click();
      await page.getByRole('dialog').getByText('10:00 to 10:50').waitFor();
      await quiet(page);
      await expectNoAlert();
      await page.keyboard.press('Escape');
      await screens.filter({ hasText: 'Money' }).click();
      // Clinical roles see invoices of their own appointments. This invoice has no appointment.
      if (role === 'front_desk' || role === 'billing') {
        await page.getByRole('region', { name: 'Invoices' }).getByRole('link').first().click();
        await page.getByRole('heading', { level: 1, name: 'INV-' }).waitFor();
        await quiet(page);
      }
      await expectNoAlert();
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  it('switches to another practice of the person', async () => {
    const person = await personWith('therapist');
    const { page, context, errors } = await signedIn(person);
    const choice = page.getByRole('combobox', { name: 'Practice' });
    await choice.selectOption({ index: 1 });
    await page.getByRole('option', { name: ', as therapist' }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Clients' }).click();
    await page.getByText('There is no client yet.').waitFor();
    await choice.selectOption({ index: 1 });
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('changes to the other user in all tabs, since they share the session', async () => {
    const { page, context } = await signedIn(await personWith('therapist'));
    const tab = await context.newPage();
    await tab.goto(`${consoleUrl()}#/clients`);
    await tab.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    const other = await newPractice();
    const { json } = await patient(() => signIn(other));
    const { access_token, refresh_token } = json as { access_token: string; refresh_token: string };
    // A mailed link that is opened in another tab.
    const link = new URLSearchParams({
      access_token,
      refresh_token,
      expires_in: '3600',
      token_type: 'bearer',
    });
    await page.goto('about:blank');
    await page.goto(`${consoleUrl()}#${link}&type=recovery`);
    await tab.getByText('There is no client yet.').waitFor();
    await context.close();
  });

  it('changes to the other practice in all tabs, since they share the session', async () => {
    const { page, context } = await signedIn(await personWith('therapist'));
    const tab = await context.newPage();
    await tab.goto(`${consoleUrl()}#/clients`);
    await tab.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('combobox', { name: 'Practice' }).selectOption({ index: 1 });
    await tab.getByText('There is no client yet.').waitFor();
    await tab.getByRole('option', { name: ', as therapist' }).waitFor({ state: 'attached' });
    await context.close();
  });
});
