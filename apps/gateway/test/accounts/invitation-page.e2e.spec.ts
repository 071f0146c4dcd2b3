// The page behind the link of an invitation, as a browser gets it and in a real browser.

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, invitationToken, make, NO_BROWSER, newPractice } from '@practice/testing';
import { rowsOf, stack } from '@practice/testing';
import { chromium, type Browser, type Page } from 'playwright-core';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const program = browserPath();

async function invited(email: string) {
  const owner = await newPractice();
  const { id } = await make(owner, 'memberships', { email, role: 'therapist' });
  return { owner, link: `${stack().baseUrl}/?invitation=${await invitationToken(id)}` };
}

const statusOf = ({ owner }: Awaited<ReturnType<typeof invited>>, email: string): Promise<unknown> =>
  rowsOf(owner, `memberships?select=status&email=eq.${email}`);

it('the link of an invitation is a page for a browser that runs only its own script, and JSON for other callers', async () => {
  const page = await fetch(`${stack().baseUrl}/?invitation=x`, { headers: { accept: ACCEPT } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`script-src 'sha256-${hash}';`);
  for (const part of [
    "default-src 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(part);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('cache-control')).toBe('no-store');
  // The page contains no part of the address.
  const odd = await fetch(`${stack().baseUrl}/?invitation=%3Cscript%3E`, { headers: { accept: ACCEPT } });
  expect(await odd.text()).toBe(html);
  const json = await fetch(`${stack().baseUrl}/?invitation=x`);
  expect(await json.json()).toMatchObject({ docs: 'docs' });
});

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => errors.push(message));
  });
  afterAll(() => browser.close());

  const fill = async (email: string, secret: string): Promise<void> => {
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=password]').fill(secret);
  };

  it('signs up a new person, who becomes a member', async () => {
    const email = `${randomUUID()}@example.com`;
    const invitation = await invited(email);
    await page.goto(invitation.link);
    await fill(email, 'correct horse battery');
    await page.getByRole('button', { name: 'Sign up and accept' }).click();
    await page.getByText('You are a member of the practice now.').waitFor();
    expect(await statusOf(invitation, email)).toEqual([{ status: 'active' }]);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(errors).toEqual([]);
  });

  it('signs in a person who has an account, and shows why a call was refused', async () => {
    const person = await newPractice();
    const invitation = await invited(person.email);
    await page.goto(invitation.link);
    await fill(person.email, 'not the password');
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.getByText('Invalid login credentials').waitFor();
    await fill(person.email, person.password);
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.getByText('You are a member of the practice now.').waitFor();
    expect(await statusOf(invitation, person.email)).toEqual([{ status: 'active' }]);
  });
}
