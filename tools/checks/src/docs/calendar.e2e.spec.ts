// The example of a live calendar page, opened in a real browser as a file.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, eventually, make, newPractice, NO_BROWSER, patch } from '@practice/testing';
import { type Practice, write } from '@practice/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { projectFolder } from '@practice/operator';
import { runningStack } from '@practice/start';

const program = browserPath();
const { baseUrl, apikey } = runningStack();
const at = { start_time: '09:00', end_time: '09:50' };

let [browser, page, practice]: [Browser?, Page?, Practice?] = [];

/** A day of the week that the page shows: 0 is Monday. */
function dayOfWeek(index: number): string {
  const today = new Date();
  today.setDate(today.getDate() - ((today.getDay() + 6) % 7) + index);
  return today.toLocaleDateString('sv');
}

/** Waits until the page shows these rows and no others. */
async function shows(shown: Page, rows: readonly string[]): Promise<void> {
  let texts: string[] = [];
  const isShown = async (): Promise<boolean> => {
    texts = (await shown.locator('tr').allInnerTexts()).map((text) => text.replaceAll('\t', ' '));
    return String(texts) === String(rows);
  };
  await eventually('the rows are shown', isShown).catch(() => expect(texts).toEqual(rows));
}

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  beforeAll(async () => {
    practice = await newPractice();
    browser = await chromium.launch({ executablePath: program });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
  });
  afterAll(() => browser?.close());

  it('calendar.html shows the week, and every booking, move, cancellation and deletion by other clients', async () => {
    const [shown, own] = [page as Page, practice as Practice];
    const errors: string[] = [];
    shown.on('pageerror', ({ message }) => errors.push(message));
    const [tuesday, friday, nextMonday] = [1, 4, 7].map(dayOfWeek);
    await make(own, 'appointments', { date: friday, ...at });

    await shown.goto(pathToFileURL(join(projectFolder, 'examples', 'calendar.html')).href);
    const login = { url: baseUrl, key: apikey, email: own.email, password: own.password };
    for (const [name, value] of Object.entries(login)) await shown.locator(`[name=${name}]`).fill(value);
    await shown.getByRole('button', { name: 'Sign in' }).click();
    await shown.getByText('Live', { exact: true }).waitFor();
    const onFriday = `${friday} 09:00 to 09:50  scheduled`;
    await shows(shown, [onFriday]);

    const client = await make(own, 'clients', { name: 'Ada Lovelace' });
    const { id } = await make(own, 'appointments', { date: tuesday, client_id: client.id, ...at });
    await shows(shown, [`${tuesday} 09:00 to 09:50 Ada Lovelace scheduled`, onFriday]);
    await patch(own, 'appointments', { id, date: nextMonday });
    await shows(shown, [onFriday]);
    await patch(own, 'appointments', { id, date: friday, start_time: '11:00', end_time: '11:50' });
    await shows(shown, [onFriday, `${friday} 11:00 to 11:50 Ada Lovelace scheduled`]);
    await patch(own, 'appointments', { id, status: 'cancelled' });
    await shows(shown, [onFriday, `${friday} 11:00 to 11:50 Ada Lovelace cancelled`]);
    expect(await shown.locator('tr.cancelled').count()).toBe(1);
    await write(own, `appointments?id=eq.${id}`, { method: 'DELETE' });
    await shows(shown, [onFriday]);
    expect(errors).toEqual([]);
  });
}
