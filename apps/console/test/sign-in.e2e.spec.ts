// Sign-in to the console: password, authenticator app, passkey, and a forgotten password.

import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually, invitationToken, logOf, make, newPractice, quiet, stack } from '@practice/testing';
import { Secret, TOTP } from 'otpauth';
import { consoleUrl, fillSignIn, furnished, heldBack, opened, signedIn, inChromium } from './console.js';

/** The mailed link of a forgotten password that leads to the console. */
const LINK = /http:\/\/[^"\s\\]+\/verify\?[^"\s\\]+console[^"\s\\]*/;
const STEP_MS = 30_000;
/** The code of an authenticator app, now or some steps later. */
const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * STEP_MS });

inChromium(() => {
  it('shows the reason of a refused sign-in, and asks for the code of an authenticator app', async () => {
    const person = await newPractice();
    const { page, context } = await opened();
    await fillSignIn(page, { ...person, password: 'not the password' });
    await page.getByRole('alert').getByText('Invalid login credentials').waitFor();
    await fillSignIn(page, person);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await page.goto(`${consoleUrl()}#/practice/account`);
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    const secret = (await page.locator('form code').textContent()) ?? '';
    await page.getByLabel('Code of the app').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Authenticator app since').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await fillSignIn(page, person);
    const code = page.getByLabel('Code of your authenticator app');
    await code.waitFor();
    // Each code is accepted once, so this is the next code.
    await code.fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await context.close();
  });

  it('registers a passkey and signs in with it', async () => {
    const person = await newPractice();
    const { page, context, errors } = await signedIn(person);
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    await page.goto(`${consoleUrl()}#/practice/account`);
    await page.getByRole('button', { name: 'Register a passkey' }).click();
    await page.getByText(/^Passkey .*since/).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('takes a new password after the mailed link of a forgotten one', async () => {
    const person = await newPractice();
    const { page, context, errors } = await opened();
    await page.goto(consoleUrl());
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('button', { name: 'Forgot the password?' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    await page.goto(await eventually('the link is mailed', () => LINK.exec(logOf('identity'))?.[0]));
    const password = 'another long pass phrase';
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await fillSignIn(page, { ...person, password });
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  /** Invites an address into a practice with the client Ada Lovelace. @returns the link in the mail, if SITE_URL is the console */
  async function invited(email: string): Promise<string> {
    const owner = await furnished();
    const { id } = await make(owner, 'memberships', { email, role: 'therapist' });
    return `${consoleUrl()}?invitation=${await invitationToken(id)}#/clients`;
  }

  it('accepts an invitation when a person signs in, and changes to that practice', async () => {
    const person = await newPractice();
    const { page, context, errors } = await opened();
    await page.goto(await invited(person.email));
    await page.getByRole('heading', { name: 'You are invited to a practice' }).waitFor();
    await fillSignIn(page, person);
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('accepts an invitation when a person signs up, and shows why it was refused', async () => {
    const person = { ...(await newPractice()), email: `new-${randomUUID()}@example.com` };
    const link = await invited(person.email);
    const { page, context } = await signedIn(await newPractice());
    await page.goto(link);
    await page.getByText('the invitation is for another address').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await context.close();
  });

  it('accepts an invitation on the page of the API once, however often the button is pressed', async () => {
    const email = `new-${randomUUID()}@example.com`;
    const link = new URL(await invited(email));
    const { page, context, errors } = await opened();
    await page.goto(new URL(link.search, link.origin).href);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('a long pass phrase');
    const calls: string[] = [];
    page.on('request', (request) => void calls.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Sign up and accept' }).dblclick();
    await page.getByText('You are a member of the practice now.').waitFor();
    expect(calls.filter((path) => path === '/auth/v1/signup')).toHaveLength(1);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows why a mailed link does not sign in', async () => {
    const { page, context } = await opened();
    const reason = 'error=access_denied&error_code=otp_expired&error_description=Call+this+number';
    await page.goto(`${consoleUrl()}#${reason}`);
    await page.reload();
    await page.getByRole('alert').getByText('The link has expired or was used.').waitFor();
    expect(await page.getByText('Call this number').count()).toBe(0);
    await context.close();
  });

  it('says on the reference page why there is no session', async () => {
    const person = await newPractice();
    const { page, context, errors } = await opened();
    await page.goto(new URL('../docs', consoleUrl()).href);
    await page.getByLabel('API key').fill(stack().apikey);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await context.setOffline(true);
    await signIn.click();
    await page.getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    await signIn.click();
    await page.getByText(`Signed in as ${person.email}.`).waitFor();
    await page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
    await page.reload();
    await page.getByText('The session has ended. Sign in again.').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows the next user no message about the work of the user before', async () => {
    const person = await furnished();
    const { page, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/clients`);
    const answer = await heldBack(context, '**/rest/v1/clients*');
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('Mary Shelley');
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && /clients/.test(request.url()),
    );
    const answered = page.waitForResponse(
      (got) => got.request().method() === 'POST' && /clients/.test(got.url()),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sent;
    // The dialog covers the button.
    await page.getByRole('button', { name: 'Sign out', includeHidden: true }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    answer();
    await (await answered).finished();
    await quiet(page);
    expect(await page.locator('.toast').count()).toBe(0);
    await context.close();
  });
});
