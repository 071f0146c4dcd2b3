// The screens of the practice: webhooks with their deliveries, apps, the export and invitations.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, make } from '@practice/testing';
import type { Page } from 'playwright-core';
import { consoleUrl, furnished, inChromium, signedIn } from './console.js';

inChromium(() => {
  let received = 0;
  const receiver = createServer((_, response) => {
    received += 1;
    response.end();
  });
  beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise<unknown>((resolve) => receiver.close(resolve)));

  const show = (page: Page, path: string) => page.goto(`${consoleUrl()}#/practice/${path}`);

  it('creates a webhook, shows its deliveries as they happen, and sends events again', async () => {
    const person = await furnished();
    const { page, context, errors } = await signedIn(person);
    await show(page, 'webhooks');
    const { port } = receiver.address() as AddressInfo;
    await page.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The secret, shown once:').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('Ping').waitFor();
    await make(person, 'clients', { name: 'Mary Shelley' });
    await deliveries.getByRole('row', { name: /ClientRegistered 1 delivered 200/ }).waitFor();
    const before = received;
    await page.getByLabel('Send again since').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Send again since then' }).click();
    await page.getByText('The events are sent again').waitFor();
    await eventually('an event comes again', () => received > before);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('registers an app, and shows the secret once', async () => {
    const { page, context, errors } = await signedIn(await furnished());
    await show(page, 'apps');
    const apps = page.getByRole('region', { name: 'Registered apps' });
    await apps.getByLabel('Name', { exact: true }).fill('Calendar Sync');
    await apps.getByLabel('Where it gets its answers').fill('https://calendar.example/callback');
    await apps.getByRole('button', { name: 'Register' }).click();
    await apps.getByText('The secret, shown once:').waitFor();
    await apps.getByRole('listitem').filter({ hasText: 'https://calendar.example/callback' }).waitFor();
    await page.reload();
    await apps.getByRole('listitem').filter({ hasText: 'Calendar Sync' }).waitFor();
    expect(await apps.getByText('The secret, shown once:').count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('exports the practice, and shows the progress', async () => {
    const { page, context, errors } = await signedIn(await furnished());
    await show(page, 'data');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export the practice' }).click();
    await page.getByRole('region', { name: 'Export' }).getByText('done').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await file).suggestedFilename()).toMatch(/^practice-export-.*\.zip$/);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('invites a person, changes the role and removes the access', async () => {
    const { page, context, errors } = await signedIn(await furnished());
    await show(page, 'people');
    await page.getByLabel('E-mail').fill('mary@example.com');
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('front desk');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByLabel('Role of mary@example.com').selectOption('billing');
    await page.getByText('mary@example.com: billing').waitFor();
    const mary = page
      .getByRole('region', { name: 'People' })
      .getByRole('listitem')
      .filter({
        has: page.getByText('mary@example.com').first(),
      });
    await mary.getByRole('button', { name: 'Remove' }).click();
    await mary.getByText('removed', { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
