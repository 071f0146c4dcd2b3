// The page /docs in a real browser: sign up, reload, and execute examples as they stand. `examples.e2e` sends all of them.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, call, NO_BROWSER, stack } from '@practice/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The members of an OpenAPI document that `partOf` selects from. */
interface WholeDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The document of some paths, with the components that they refer to. */
function partOf(document: WholeDocument, isWanted: (path: string) => boolean): WholeDocument {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isWanted(path)));
  const needed = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [ref, kind = '', name = ''] of JSON.stringify(part).matchAll(
      /#\/components\/(\w+)\/([\w.-]+)/g,
    )) {
      if (needed.has(ref)) continue;
      needed.add(ref);
      follow(document.components[kind]?.[name] ?? {});
    }
  };
  follow(paths);
  const isNeeded = (kind: string, name: string): boolean =>
    kind === 'securitySchemes' || needed.has(`#/components/${kind}/${name}`);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, members]) => [
      kind,
      Object.fromEntries(Object.entries(members).filter(([name]) => isNeeded(kind, name))),
    ]),
  );
  return { ...document, paths, components };
}

const program = browserPath();

/**
 * The examples that are executed: all of appointments, and the PUT of the client that they refer to. The page takes the longest
 * to open a call.
 */
const isTried = ({ method, path }: Operation): boolean =>
  isShown(path) && (path.endsWith('/appointments') || method === 'put');
const TAGS = ['clients', 'appointments'];
const isShown = (path: string): boolean => TAGS.includes(path.split('/').at(-1) ?? '');

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
    await showPart();
    await page.reload();
    await page.getByText(`Signed in as ${email}.`).waitFor();
  });

  it('executes the examples as they stand', async () => {
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

/** swagger-ui reads the whole document again for each operation that it opens; from the next load on it gets a part. */
async function showPart(): Promise<void> {
  const json = partOf((await call('/docs/openapi.json')).json as WholeDocument, isShown);
  await page.route('**/docs/openapi.json', (route) => route.fulfill({ json }));
}

async function openTags(): Promise<void> {
  for (const tag of TAGS) await page.locator(`.opblock-tag[data-tag=${tag}]`).click();
}

/** The client comes first, and a deletion last. */
const rank = ({ method, path }: Operation): number =>
  method === 'delete' ? 2 : path.endsWith('/clients') ? 0 : 1;

async function operationsWithExamples(): Promise<Operation[]> {
  const { json } = await call('/docs/openapi.json');
  const { paths } = json as WholeDocument;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter((each) => 'x-example' in each.operation && isTried(each))
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
