// Notes in the console: typed text is kept, and a signature is final and can be checked.

import { expect, it } from '@jest/globals';
import { eventually, make, memberOf, patient, rowsOf, write } from '@practice/testing';
import { consoleUrl, furnished, heldBack, signedIn, inChromium } from './console.js';

inChromium(() => {
  it('keeps a draft across a reload, signs the note, verifies it and adds an addendum', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const { id } = await make(person, 'sessions', { client_id });
    const { page, errors, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    await page.getByLabel('subjective').fill('Slept well.');
    await page.getByText('Your text is kept as a draft.').waitFor();
    expect(await rowsOf(person, `sessions?select=subjective&id=eq.${id}`)).toEqual([{ subjective: null }]);
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
    const looked = page.getByRole('region', { name: 'Who looked' }).getByText(person.email).first();
    await looked.waitFor();

    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/\d events, all intact/).waitFor();
    // The page of the client shows who has read the notes.
    await page.goto(`${consoleUrl()}#/clients/${client_id}`);
    await page.getByRole('heading', { name: 'Who looked' }).waitFor();
    await looked.waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('keeps typed text across a network failure and an early reload, and after the note was saved', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const { id } = await make(person, 'sessions', { client_id });
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    await page.getByLabel('subjective').waitFor();
    await context.setOffline(true);
    await page.getByLabel('subjective').fill('Slept well.');
    // Other parts of the screen may show the same alert.
    const editor = page.locator('form', { has: page.getByLabel('subjective') });
    await editor.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    await page.getByText('Your text is kept as a draft.').waitFor();
    // The reload comes before the pause after the last key is over, and the request of the closing page is lost.
    await page.route('**/rpc/save_draft', (route) => route.abort());
    await page.getByLabel('plan').fill('Rest.');
    await page.reload();
    const kept = page.getByText('Your text is kept as a draft.');
    await page.getByText('Not kept.').waitFor();
    expect(await page.getByLabel('plan').inputValue()).toBe('Rest.');
    await page.unroute('**/rpc/save_draft');
    // The text is the same, whether the request of the closing page arrives or not.
    await page.reload();
    await kept.waitFor();
    expect(await page.getByLabel('plan').inputValue()).toBe('Rest.');
    const drafts = () => person.rest('rpc/session_drafts', { method: 'POST', body: { session_id: id } });
    expect((await patient(drafts)).json).toEqual([
      expect.objectContaining({ subjective: 'Slept well.', plan: 'Rest.' }),
    ]);
    await page.reload();
    await kept.waitFor();
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('draft');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved in the note.').waitFor();
    await page.reload();
    await page.getByText('Saved in the note.').waitFor();
    await page.getByLabel('plan').fill('Rest and walks.');
    await kept.waitFor();
    await page.route('**/rpc/save_draft', (route) => route.abort());
    await page.getByLabel('plan').fill('Walks.');
    await page.reload();
    await page.getByText('Not kept.').waitFor();
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).toContain('draft');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await context.close();
  });

  it('keeps text that is typed before the stored draft arrives, and signs no text that was not shown', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const { id } = await make(person, 'sessions', { client_id, plan: 'Rest.' });
    await write(person, 'rpc/save_draft', { method: 'POST', body: { session_id: id, plan: 'Runs.' } });
    const { page, context } = await signedIn(person);
    const answer = await heldBack(context, '**/rpc/session_drafts*');
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    await page.getByLabel('plan').fill('Walks.');
    answer();
    const choice = page.getByRole('alert').filter({ hasText: 'Runs.' });
    await choice.waitFor();
    expect(await page.getByLabel('plan').inputValue()).toBe('Walks.');
    await choice.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Your text is kept as a draft.').waitFor();
    await page.getByRole('button', { name: 'Sign…' }).click();
    await page.getByRole('dialog').waitFor();
    await write(person, `sessions?id=eq.${id}`, { method: 'PATCH', body: { plan: 'Another text.' } });
    await page.getByRole('button', { name: 'Sign the note' }).click();
    await page.getByText('has changed').first().waitFor();
    expect(await rowsOf(person, `sessions?id=eq.${id}&select=status`)).toEqual([{ status: 'draft' }]);
    await context.close();
  });

  it('shows text that others save in the note, and replaces no text that the writer has not seen', async () => {
    const person = await furnished();
    const [client_id] = person.clients;
    const { id } = await make(person, 'sessions', { client_id, plan: 'Rest.' });
    const saves = (plan: string) =>
      write(person, `sessions?id=eq.${id}`, { method: 'PATCH', body: { plan } });
    const stored = () => rowsOf(person, `sessions?select=subjective,plan&id=eq.${id}`);
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    const plan = page.getByLabel('plan');
    await plan.waitFor();
    await saves('Walks.');
    await eventually('the editor shows the new text', async () => (await plan.inputValue()) === 'Walks.');
    await page.getByLabel('subjective').fill('Slept well.');
    await page.getByText('Your text is kept as a draft.').waitFor();
    await saves('Runs.');
    const choice = page.getByRole('alert').filter({ hasText: 'Runs.' });
    await choice.waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('has changed').first().waitFor();
    expect(await stored()).toEqual([{ subjective: null, plan: 'Runs.' }]);
    await choice.getByRole('button', { name: 'Take the other' }).click();
    await choice.waitFor({ state: 'detached' });
    expect(await plan.inputValue()).toBe('Runs.');
    await page.getByLabel('subjective').fill('Slept badly.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved in the note.').waitFor();
    expect(await stored()).toEqual([{ subjective: 'Slept badly.', plan: 'Runs.' }]);
    await context.close();
  });

  it('asks the supervisor for the second signature, and marks a note as entered in error with a reason', async () => {
    const owner = await furnished();
    const { member } = await memberOf(owner, 'therapist');
    const [client_id] = owner.clients;
    const { id } = await make(member, 'sessions', { client_id, plan: 'Rest.' });
    const own = await signedIn(member);
    await own.page.goto(`${consoleUrl()}#/notes/${id}`);
    await own.page.getByLabel('Second signature').selectOption(`By ${owner.email.split('@')[0]}`);
    await own.page.getByText('Changed who co-signs').waitFor();
    await own.page.getByRole('button', { name: 'Sign…' }).click();
    await own.page.getByRole('dialog').getByRole('button', { name: 'Sign the note' }).click();
    await own.page.getByText('Waits for the signature of').waitFor();

    const other = await signedIn(owner);
    await other.page.goto(`${consoleUrl()}#/notes`);
    await other.page.getByRole('button', { name: 'To co-sign' }).click();
    await other.page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await other.page.getByRole('button', { name: 'Co-sign…' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Co-sign the note' }).click();
    await other.page.getByText(`Co-signed by ${owner.email}`).waitFor();
    // The author sees the co-signature without a reload.
    await own.page.getByText(`Co-signed by ${owner.email}`).waitFor();

    await own.page.getByRole('button', { name: 'Entered in error…' }).click();
    await own.page.getByLabel('Reason').fill('Written for another client.');
    await own.page.getByRole('button', { name: 'Mark as entered in error' }).click();
    await own.page.getByText('Entered in error: Written for another client.').waitFor();
    await other.page.getByText('Entered in error: Written for another client.').waitFor();
    expect(await rowsOf(owner, `sessions?select=status,plan&id=eq.${id}`)).toEqual([
      { status: 'voided', plan: 'Rest.' },
    ]);
    expect([...own.errors, ...other.errors]).toEqual([]);
    await own.context.close();
    await other.context.close();
  });

  it('keeps a text that could not be sent before the note was left, and none after the sign-out', async () => {
    const person = await furnished();
    const { id } = await make(person, 'sessions', { client_id: person.clients[0] });
    const { page, context } = await signedIn(person);
    const note = `${consoleUrl()}#/notes/${id}`;
    await page.goto(note);
    await page.getByLabel('plan').waitFor();
    await context.setOffline(true);
    await page.getByLabel('plan').fill('Walk every day.');
    await page.getByText('Not kept.').waitFor();
    await page.getByRole('link', { name: 'All notes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await context.setOffline(false);
    await page.goto(note);
    await page.getByText('Your text is kept as a draft.').waitFor();
    expect(await page.getByLabel('plan').inputValue()).toBe('Walk every day.');
    await context.route('**/rest/v1/rpc/save_draft*', (route) => route.abort());
    await page.getByLabel('plan').fill('Sleep.');
    await page.getByText('Not kept.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    await context.close();
  });

  it('signs one addendum if the first request still runs when the writer tries again', async () => {
    const person = await furnished();
    const { id } = await make(person, 'sessions', { client_id: person.clients[0], plan: 'Rest.' });
    await write(person, 'rpc/sign_note', { method: 'POST', body: { session_id: id, meaning: 'authorship' } });
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    const keys: (string | undefined)[] = [];
    await context.route('**/rest/v1/session_addenda*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.fallback();
      await route.fetch();
      const message = 'the first request with this Idempotency-Key is still running';
      return route.fulfill({ status: 409, json: { code: 'PM005', message, details: null, hint: null } });
    });
    await page.getByLabel('New addendum').fill('Called in the evening.');
    await page.getByRole('button', { name: 'Sign the addendum' }).click();
    await page.getByRole('status').getByText('Not confirmed: Addendum signed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Addendum signed', { exact: true }).waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await rowsOf(person, 'session_addenda?select=text')).toEqual([{ text: 'Called in the evening.' }]);
    await context.close();
  });

  it('does not call a note or a log changed that is not checked to its end', async () => {
    const person = await furnished();
    const { id } = await make(person, 'sessions', { client_id: person.clients[0], plan: 'Rest.' });
    await write(person, 'rpc/sign_note', { method: 'POST', body: { session_id: id, meaning: 'authorship' } });
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/notes/${id}`);
    // A log that is too long for one call takes too long to make here.
    await context.route('**/rest/v1/rpc/verify_note*', (route) => route.fulfill({ json: { intact: null } }));
    const part = { service: 'clients', positions: 9, head_hash: 'abc', intact: null, first_broken: null };
    await context.route('**/rest/v1/rpc/verify_log*', (route) =>
      route.request().postData()?.includes('after') ? route.abort() : route.fulfill({ json: [part] }),
    );
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('The note is intact; the log is too long to check here').waitFor();
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('9 events, not all are checked yet').waitFor();
    await page.getByRole('cell', { name: 'not checked to the end' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Verify the log' }).waitFor();
    await context.close();
  });

  it('leaves the practice in all tabs, even if the user stays on a page with text that was not sent', async () => {
    const owner = await furnished();
    const { member } = await memberOf(owner, 'therapist');
    const { id } = await make(member, 'sessions', { client_id: owner.clients[0] });
    const { page, context } = await signedIn(member);
    const tab = await context.newPage();
    await tab.route('**/rest/v1/rpc/save_draft*', (route) => route.abort());
    tab.on('dialog', (dialog) => void dialog.dismiss());
    await tab.goto(`${consoleUrl()}#/notes/${id}`);
    // The browser asks before it leaves only a page that was used.
    await tab.getByLabel('plan').click();
    await tab.keyboard.type('Rest.');
    await tab.getByText('Not kept.').waitFor();
    await page.getByRole('combobox', { name: 'Practice' }).selectOption({ index: 1 });
    const shown = tab.getByRole('combobox', { name: 'Practice' });
    await eventually(
      'the own practice is shown',
      async () => (await shown.inputValue()) === member.therapistId,
    );
    await context.close();
  });
});
