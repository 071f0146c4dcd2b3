// Every screen: axe finds no problem in either theme, no file comes from another host, and no screen is too large or too wide.

import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, it } from '@jest/globals';
import { eventually, make, makeAll, quiet, stack, write } from '@practice/testing';
import type { Page } from 'playwright-core';
import { consoleUrl, furnished, opened, signedIn, today, inChromium } from './console.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

inChromium(() => {
  let person: Awaited<ReturnType<typeof furnished>>;
  const ids = { appointment: '', note: '', signed: '', draft: '', invoice: '' };
  beforeAll(async () => {
    person = await furnished();
    const [client_id] = person.clients;
    const times = { date: today(), start_time: '10:00', end_time: '10:50' };
    const statuses = ['scheduled', 'confirmed', 'completed', 'no_show', 'cancelled'];
    for (const [hour, status] of statuses.entries()) {
      const at = { start_time: `${10 + hour}:00`, end_time: `${10 + hour}:50` };
      ids.appointment = (
        await make(person, 'appointments', { ...times, ...at, client_id, status, price: 110 })
      ).id;
    }
    ids.note = (await make(person, 'sessions', { client_id, subjective: 'Slept well.' })).id;
    ids.signed = (await make(person, 'sessions', { client_id, plan: 'Rest.' })).id;
    await write(person, 'rpc/sign_note', {
      method: 'POST',
      body: { session_id: ids.signed, meaning: 'authorship' },
    });
    ids.draft = (await make(person, 'invoices', { client_id })).id;
    await make(person, 'invoice_items', { invoice_id: ids.draft, description: 'A book', unit_price: 20 });
    ids.invoice = (await make(person, 'invoices', { client_id })).id;
    await make(person, 'invoice_items', { invoice_id: ids.invoice, description: 'Session', unit_price: 110 });
    await write(person, 'rpc/finalize_invoice', { method: 'POST', body: { invoice_id: ids.invoice } });
    await make(person, 'payments', { client_id, date: today(), amount: 50, method: 'card' });
    await make(person, 'conversation_log', { client_id, content: 'Called back.' });
    await make(person, 'webhooks', { url: 'http://127.0.0.1:9/hook', status: 'paused' });
  });

  const screens = (): string[] => [
    ...[
      'calendar',
      'clients',
      `clients/${person.clients[0]}`,
      'notes',
      `notes/${ids.note}`,
      `notes/${ids.signed}`,
    ],
    ...[
      'money',
      `money/${ids.draft}`,
      `money/${ids.invoice}`,
      'practice/account',
      'practice/people',
      'practice/security',
    ],
    ...['practice/apps', 'practice/webhooks', 'practice/data', 'explorer'],
  ];

  /** Opens a screen and waits until its data is loaded. */
  async function show(page: Page, path: string): Promise<void> {
    await page.goto(`${consoleUrl()}#/${path}`);
    const [screen] = path.split('/');
    await page.locator(`nav [href="#/${screen}"][aria-current=page]`).waitFor();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await quiet(page);
  }

  async function findings(page: Page, what: string): Promise<string[]> {
    // The policy of the page forbids added scripts. A script from the debugger does not count as added.
    await page.evaluate(await import('node:fs').then(({ readFileSync }) => readFileSync(axe, 'utf8')));
    const options = JSON.stringify({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // EventCalendar gives an article the role of a button.
      rules: { 'aria-allowed-role': { enabled: false } },
    });
    const found = await page.evaluate<Finding[]>(
      `axe.run(document, ${options}).then(({ violations }) => violations)`,
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${what}: ${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 220)}`),
    );
  }

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no finding of axe, no error and no foreign request on any screen (${colorScheme})`, async () => {
      const { page, errors, strangers, context } = await signedIn(person, { colorScheme });
      const all: string[] = [];
      for (const path of screens()) {
        await show(page, path);
        all.push(...(await findings(page, path)));
      }
      await show(page, 'calendar');
      await page.getByLabel('Cancelled too').check();
      await page.locator(`[data-id="${ids.appointment}"]`).click();
      await page.getByRole('dialog').getByText('Appointment scheduled').waitFor();
      all.push(...(await findings(page, 'the sheet')));
      await page.keyboard.press('Escape');
      for (const [key, heading] of [
        ['n', 'New appointment'],
        ['m', 'Move Ada Lovelace'],
        ['p', 'Payment by Ada Lovelace'],
      ] as const) {
        await page.locator('.is-scheduled[data-id]').focus();
        await page.keyboard.press(key);
        await page.getByRole('heading', { name: heading }).waitFor();
        await quiet(page);
        all.push(...(await findings(page, heading)));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      for (const [path, button] of [
        [`money/${ids.draft}`, 'Change A book'],
        [`money/${ids.invoice}`, 'Credit note…'],
        [`notes/${ids.signed}`, 'Entered in error…'],
      ] as const) {
        await show(page, path);
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        all.push(...(await findings(page, button)));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await show(page, 'calendar');
      await page.getByRole('button', { name: 'Go back in time' }).click();
      all.push(...(await findings(page, 'as of')));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'People', exact: true }).click();
      all.push(...(await findings(page, 'columns of people')));
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
      all.push(...(await findings(page, 'sign-in')));
      expect(all).toEqual([]);
      expect(errors).toEqual([]);
      expect(strangers).toEqual([]);
      await context.close();
    });

  it('has no finding of axe while the list of clients is loading', async () => {
    const { page, context } = await signedIn(person);
    await page.locator('.is-scheduled[data-id]').waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/clients\?.*limit=6/, (route) => held.then(() => route.continue()));
    await page.locator('.is-scheduled[data-id]').focus();
    await page.keyboard.press('n');
    await page.getByText('Loading clients').waitFor();
    expect(await findings(page, 'New appointment')).toEqual([]);
    release();
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByRole('combobox', { expanded: true }).getAttribute('aria-controls')).toBe('found');
    await context.close();
  });

  it('keeps the focus after a dialog and after a change of the screen', async () => {
    const { page, context } = await signedIn(person);
    await show(page, `clients/${person.clients[0]}`);
    await page.getByRole('button', { name: 'Change', exact: true }).press('Enter');
    await page.getByRole('dialog').getByLabel('Name').press('Escape');
    await page.locator('button:focus', { hasText: 'Change' }).waitFor();
    await page.getByRole('link', { name: 'All clients' }).press('Enter');
    await page.locator('main:focus', { hasText: 'New client' }).waitFor();
    await context.close();
  });

  it('fits a screen of 320 pixels, as at a zoom of 400 %', async () => {
    const { page, context } = await signedIn(person, { viewport: { width: 320, height: 640 } });
    const wide: string[] = [];
    for (const path of screens()) {
      await show(page, path);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 320) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
    await page.setViewportSize({ width: 320, height: 1200 });
    await show(page, 'practice/data');
    const top = await page.getByRole('complementary', { name: 'Practice' }).boundingBox();
    expect(top?.height).toBeLessThan(80);
    await context.close();
  });

  it('lists more rows than a response can have', async () => {
    const owner = await furnished();
    const body = Array.from({ length: 1000 }, (_, index) => ({ name: `Client ${index}` }));
    await makeAll(owner, 'clients?select=id', body);
    const { page, context, errors } = await signedIn(owner);
    await page.goto(`${consoleUrl()}#/clients`);
    const rows = page.locator('.list > li');
    for (let shown = 100; shown <= 1000; shown += 100) {
      await eventually('the page is shown', async () => (await rows.count()) === shown);
      await page.getByRole('button', { name: 'Show more' }).click();
    }
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1002);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('loads at most 150 kB before the sign-in and 220 kB with the calendar', async () => {
    const { page, context } = await opened();
    const urls = new Set<string>();
    page.on('response', (response) => {
      if (/\/console\/[^/]*$/.test(response.url())) urls.add(response.url());
    });
    // The browser drops the bodies of the previous page, so they are requested once more.
    const sizeOf = async (url: string): Promise<number> =>
      brotliCompressSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;
    const loaded = async (): Promise<number> =>
      (await Promise.all([...urls].map(sizeOf))).reduce((sum, size) => sum + size, 0);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await loaded()).toBeGreaterThan(10_000);
    expect(await loaded()).toBeLessThan(150_000);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('[data-id]').first().waitFor();
    expect(await loaded()).toBeLessThan(220_000);
    await context.close();
  });

  it('explores any resource, and shows the request as code', async () => {
    const { page, context, errors } = await signedIn(person);
    await show(page, 'explorer');
    const choice = page.getByLabel('Resource');
    for (const name of ['clients_history', 'access_log', 'appointments']) await choice.selectOption(name);
    expect(await choice.locator('option[value=access_log_history]').count()).toBe(0);
    await page.getByLabel('Columns, embeds').fill('start_time,status,clients(name)');
    await page.getByLabel('Filters, one a line').fill('status=eq.completed');
    await page.getByLabel('Order').fill('start_time.desc');
    await page.getByRole('cell', { name: '{"name":"Ada Lovelace"}' }).first().waitFor();
    await page.getByRole('cell', { name: 'scheduled' }).first().waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'With supabase-js' }).textContent()).toContain(
      ".filter('status', 'eq', 'completed')",
    );
    const file = page.waitForEvent('download');
    const asked = page.waitForRequest((request) => request.headers()['accept'] === 'text/csv');
    const choosing = new Promise<void>((resolve) => {
      void page.route('**/rest/v1/appointments?*', async (route) => {
        if (route.request().headers()['accept'] === 'text/csv') await choosing;
        await route.continue();
      });
      void asked.then(() => choice.selectOption('clients')).then(() => resolve());
    });
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect((await file).suggestedFilename()).toBe('appointments.csv');
    // While the user types a filter, it can be invalid for a moment.
    expect(errors.filter((error) => !/^400 \/rest\/v1\/(?:appointments|clients)/.test(error))).toEqual([]);
    await context.close();
  });

  it('creates a token for scripts, shows it once and revokes it', async () => {
    const { page, context, errors } = await signedIn(person);
    await show(page, 'practice/apps');
    await page.getByLabel('Name of the token').fill('Nightly export');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const tokens = page.getByRole('region', { name: 'Personal access tokens' });
    const token = await tokens.locator('.notice code').textContent();
    const read = () =>
      fetch(`${stack().baseUrl}/rest/v1/clients?select=name`, {
        headers: { authorization: `Bearer ${token}`, apikey: stack().apikey },
      });
    expect((await read()).status).toBe(200);
    const row = tokens.getByRole('listitem').filter({ hasText: 'Nightly export' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await read()).status).toBe(401);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('finds a client whose name is misspelt', async () => {
    const { page, context, errors } = await signedIn(person);
    await show(page, 'clients');
    await page.getByLabel('Search clients').fill('gracce hoper');
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows the chosen week and filter again on the way back and after a reload', async () => {
    const { page, context } = await signedIn(person);
    await page.getByRole('button', { name: 'After' }).click();
    const week = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.goto(`${consoleUrl()}#/notes`);
    await page.getByRole('button', { name: 'Signed', exact: true }).click();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: week }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: week }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Signed', exact: true, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    await context.close();
  });
});
