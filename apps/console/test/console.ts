// The console in a real browser, for specs.

import { afterAll, beforeAll, it } from '@jest/globals';
import { browserPath, eventually, followRequests, make, makeAll } from '@practice/testing';
import { newPractice, NO_BROWSER, stack } from '@practice/testing';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

export type Practice = Awaited<ReturnType<typeof newPractice>>;

/** The address of the console, under the name that passkeys are bound to. */
export const consoleUrl = (): string =>
  `${stack().baseUrl.replace('127.0.0.1', 'localhost').replace(/\/$/, '')}/console/`;

let browser: Browser;

/** Defines the tests of a file, which share one Chromium. If Chromium is not installed, one skipped test names the reason. */
export function inChromium(define: () => void): void {
  const executablePath = browserPath();
  if (executablePath === undefined) return it.skip(NO_BROWSER, () => {});
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath });
  });
  afterAll(() => browser.close());
  define();
}

/** Opens the console, before the sign-in. */
export async function opened(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(60_000);
  // Chromium misses the first requests after it begins to intercept. With this route, it begins before the page.
  await context.route('**/intercept', (route) => route.fallback());
  const page = followRequests(await context.newPage());
  /** Errors of the page, and refused requests. */
  const errors: string[] = [];
  /** Addresses on other hosts that the page has requested. */
  const strangers: string[] = [];
  const host = new URL(consoleUrl()).host;
  page.on('pageerror', ({ message }) => errors.push(message));
  // The browser logs every refused request, and some specs expect refused requests.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('response', (response) => {
    // Screens repeat a read that is late.
    const isLate = response.status() === 503 && response.request().method() === 'GET';
    if (response.status() >= 400 && !isLate)
      errors.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  page.on('request', (request) => {
    const { host: asked, protocol } = new URL(request.url());
    if (asked !== host && !['data:', 'blob:'].includes(protocol)) strangers.push(request.url());
  });
  await page.goto(consoleUrl());
  return { page, context, errors, strangers };
}

/** Fills in the sign-in. */
export async function fillSignIn(page: Page, { email, password }: Practice): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
}

/** Opens the console and signs in. */
export async function signedIn(person: Practice, options: BrowserContextOptions = {}) {
  const open = await opened(options);
  await fillSignIn(open.page, person);
  await open.page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await open.page.getByRole('region', { name: 'Appointments' }).waitFor();
  return open;
}

/** Holds requests to addresses back. @returns a function that lets them go on */
export async function heldBack(of: BrowserContext, addresses: string): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await of.route(addresses, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** The box of an element, once it is drawn: the calendar replaces its elements when it is drawn again. */
export const boxOf = (place: Locator) => eventually('the place is drawn', () => place.boundingBox());

/** Today, which the calendar shows. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** A practice that is open every day, with a service and clients. */
export async function furnished(): Promise<Practice & { readonly clients: readonly string[] }> {
  const person = await newPractice();
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const hours = days.map((day_of_week) => ({ day_of_week, open_time: '08:00', close_time: '18:00' }));
  await makeAll(person, 'business_hours', hours);
  await make(person, 'service_menu', { name: 'Individual therapy', duration: 50, price: 110 });
  const clients = await makeAll(person, 'clients', [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }]);
  return { ...person, clients: clients.map(({ id }) => id) };
}
