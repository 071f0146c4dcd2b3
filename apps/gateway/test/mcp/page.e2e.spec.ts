// The page of a proposal in a real browser: without script, with a second factor, and with assistive technology.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auth, browserPath, newPractice, NO_BROWSER, type Practice } from '@practice/testing';
import { Secret, TOTP } from 'otpauth';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Assistant, assistantWith, personalToken } from './assistants.js';

const program = browserPath();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const STEP_MS = 30_000;

/** A code of an authenticator app. Each code is accepted once, so the first code is from the step before. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** Adds an authenticator app to the account of a practice. Resolves to its secret. */
async function enroll({ token }: Practice): Promise<string> {
  const enrolled = await auth('POST', 'factors', { token, body: { factor_type: 'totp' } });
  const { id, totp } = enrolled.json as { id: string; totp: { secret: string } };
  const verify = async (): Promise<number> => {
    const { json } = await auth('POST', `factors/${id}/challenge`, { token, body: {} });
    const body = { challenge_id: (json as { id: string }).id, code: codeOf(totp.secret, -1) };
    return (await auth('POST', `factors/${id}/verify`, { token, body })).status;
  };
  const first = await verify();
  // The time step may end between the computation of the code and its check.
  expect(first === 200 ? first : await verify()).toBe(200);
  return totp.secret;
}

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  let browser: Browser;
  let practice: Practice;
  let assistant: Assistant;
  beforeAll(async () => {
    [browser, practice] = await Promise.all([chromium.launch({ executablePath: program }), newPractice()]);
    assistant = await assistantWith(await personalToken(practice));
  });
  afterAll(() => browser.close());

  /** A proposal that only its person can confirm. */
  async function proposed(): Promise<{ readonly proposal_id: string; readonly confirm_url: string }> {
    const values = { date: '2031-03-03', amount: '12.50', vendor: '<b>Paper & Co.</b>' };
    const { data } = await assistant.call('record', { resource: 'expenses', values });
    return data['proposal'] as unknown as { proposal_id: string; confirm_url: string };
  }

  const visitor = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(60_000);
    return page;
  };

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(practice.email);
    await page.getByLabel('Password').fill(practice.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it.each(['light', 'dark'] as const)('has no finding of axe in the %s scheme', async (colorScheme) => {
    const page = await visitor({ colorScheme, bypassCSP: true });
    const script = await readFile(axe, 'utf8');
    const findings = async (): Promise<unknown> => {
      await page.evaluate(script);
      return page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
        [id, ...nodes.map(({ html }) => html)]))`);
    };
    const { confirm_url: url } = await proposed();
    await page.goto(url);
    await signIn(page);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    expect(await findings()).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    expect(await findings()).toEqual([]);
    await page.goto(url);
    await page.getByRole('alert').waitFor();
    expect(await findings()).toEqual([]);
  });

  it('asks for the second factor, shows the exact write, and confirms it without script', async () => {
    const secret = await enroll(practice);
    const { proposal_id: id, confirm_url: url } = await proposed();
    const page = await visitor({ javaScriptEnabled: false });
    await page.goto(url);
    await signIn(page);
    const code = page.getByLabel('Code of your authenticator app');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    expect(await assistant.call('commit', { proposal_id: id })).toMatchObject({
      ...{ isError: true, data: { state: 'unconfirmed' } },
    });
    await code.fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    const text = await page.innerText('main');
    for (const shown of ['New: expenses', '2031-03-03', '12.5', '<b>Paper & Co.</b>'])
      expect(text).toContain(shown);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    expect(await page.innerText('main')).toContain('Confirmed');
    expect(await assistant.call('commit', { proposal_id: id })).toMatchObject({ isError: false });
    await page.goto(url);
    expect(await page.getByRole('alert').innerText()).toContain('was answered');
  });
}
