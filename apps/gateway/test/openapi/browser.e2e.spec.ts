// The page /docs in a real browser: sign up, reload, and execute examples as they stand. `examples.e2e` sends all of them.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, stack } from '@practice/testing';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const program = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path));

/** The resources whose examples are executed: opening an operation takes the browser long. */
const tried = ['clients', 'appointments'];

const email = `${randomUUID()}@example.com`;
let browser: Browser;
let page: Page;
/** Errors on the browser's console, such as violations of the content security policy. */
const errors: string[] = [];

if (program === undefined)
  it.skip('needs Chromium or Chrome, which is not installed (`.ci/run` installs it as root)', () => {});
else {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
  });
  afterAll(() => browser.close());

  it('signs up, and stays signed in over a reload', async () => {
    await page.goto(`${stack().baseUrl}/docs`);
    await page.locator('#sign-in [name=apikey]').fill(stack().apikey);
    await page.locator('#sign-in [name=email]').fill(email);
    await page.locator('#sign-in [name=password]').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText(`Signed in as ${email}.`).waitFor();
    await page.reload();
    await page.getByText(`Signed in as ${email}.`).waitFor();
  });

  it('executes the examples as they stand', async () => {
    await openTags();
    const statuses: string[] = [];
    for (const operation of await operationsWithExamples()) statuses.push(await execute(operation));
    expect(statuses).toHaveLength(12);
    expect(statuses.filter((line) => !/ 20[014]$/.test(line))).toEqual([]);
    expect(errors).toEqual([]);
  }, 120_000);

  it('forgets the session on sign-out', async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Sign in to try the calls below.').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
}

interface Operation {
  readonly method: string;
  readonly path: string;
}

async function openTags(): Promise<void> {
  for (const tag of tried) await page.locator(`.opblock-tag[data-tag=${tag}]`).click();
}

/** PUT of a client creates the one that other examples refer to, and a client that is referred to cannot be deleted. */
const rank = ({ method, path }: Operation): number => {
  const isOfClients = path.endsWith('/clients');
  if (method === 'delete') return isOfClients ? 3 : 2;
  return method === 'put' && isOfClients ? 0 : 1;
};

async function operationsWithExamples(): Promise<Operation[]> {
  const { json } = await call('/docs/openapi.json');
  const { paths } = json as { paths: Record<string, Record<string, object>> };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation, path }) => 'x-example' in operation && tried.includes(path.split('/').at(-1) ?? ''))
    .sort((one, other) => rank(one) - rank(other));
}

/** @returns the call and the status, or what the page complains about instead of sending it */
async function execute({ method, path }: Operation): Promise<string> {
  const block = page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) });
  const header = block.locator('.opblock-summary-control');
  await header.click();
  await block.locator('button.execute').click();
  const status = block.locator('.live-responses-table tbody .response-col_status').first();
  const complaint = block.locator('.validation-errors');
  await status.or(complaint).waitFor();
  const outcome = (await status.count()) > 0 ? status.innerText() : complaint.innerText();
  const line = `${method} ${path} ${await outcome}`;
  await header.click();
  return line;
}
