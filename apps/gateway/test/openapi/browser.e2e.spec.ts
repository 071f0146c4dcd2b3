// The page /docs in a real browser: sign up, reload, and execute unchanged examples. `examples.e2e` sends all examples.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, call, NO_BROWSER, stack } from '@practice/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

const program = browserPath();

/** The examples that are executed: all of appointments, and the PUT of the client that they refer to. */
const isTried = ({ method, path }: Operation): boolean =>
  path === '/rest/v1/appointments' || (path === '/rest/v1/clients' && method === 'put');
const TAGS = ['clients', 'appointments'];

const email = `${randomUUID()}@example.com`;
let browser: Browser;
let page: Page;
/** Errors on the browser's console, such as violations of the content security policy. */
const errors: string[] = [];

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
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
    const kept = JSON.parse(
      String(await page.evaluate('localStorage.getItem("practice-api-docs")')),
    ) as object;
    expect(Object.keys(kept)).toEqual(['apikey', 'token']);
    await page.reload();
    await page.getByText(`Signed in as ${email}.`).waitFor();
  });

  it('executes the unchanged examples', async () => {
    await openTags();
    const statuses: string[] = [];
    for (const operation of await operationsWithExamples()) statuses.push(await execute(operation));
    expect(statuses).toHaveLength(7);
    expect(statuses.filter((line) => !/ 20[014]$/.test(line))).toEqual([]);
    expect(errors).toEqual([]);
  });

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
  for (const tag of TAGS) await page.locator(`.opblock-tag[data-tag=${tag}]`).click();
}

/** The client is first, and deletions are last. */
const rank = ({ method, path }: Operation): number =>
  method === 'delete' ? 2 : path.endsWith('/clients') ? 0 : 1;

async function operationsWithExamples(): Promise<Operation[]> {
  const { json } = await call('/docs/openapi.json');
  const { paths } = json as { paths: Readonly<Record<string, Readonly<Record<string, object>>>> };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter((each) => 'x-example' in each.operation && isTried(each))
    .sort((one, other) => rank(one) - rank(other));
}

/** Executes an operation on the page. @returns the call and its status, or the page's error if it did not send the call */
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
