// Notes in the console: what is typed is kept, a signature is final and can be checked.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, make, NO_BROWSER } from '@practice/testing';
import { chromium, type Browser } from 'playwright-core';
import { consoleUrl, furnished, signedIn } from './console.js';

const program = browserPath();

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program });
  });
  afterAll(() => browser.close());

  it('keeps a draft over a reload, signs the note, verifies it and adds to it', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const { id } = await make(person, 'sessions', { client_id });
    const { page, errors, context } = await signedIn(browser, person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    await page.getByLabel('subjective').fill('Slept well.');
    await page.getByText('Your text is kept as a draft.').waitFor();
    expect((await person.rest(`sessions?select=subjective&id=eq.${id}`)).json).toEqual([
      { subjective: null },
    ]);
    await page.reload();
    await page.getByText('Your text is kept as a draft.').waitFor();
    expect(await page.getByLabel('subjective').inputValue()).toBe('Slept well.');

    await page.getByRole('button', { name: 'Sign…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign the note' }).click();
    await page.getByText(`Signed by ${person.email}`).waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Intact since it was signed').waitFor();
    await page.getByLabel('New addendum').fill('Called in the evening.');
    await page.getByRole('button', { name: 'Sign the addendum' }).click();
    await page.getByRole('region', { name: 'Addenda' }).getByText('Called in the evening.').waitFor();
    await page.getByRole('region', { name: 'Who looked' }).getByText(person.email).first().waitFor();

    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/\d events, all intact/).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  }, 180_000);
}
