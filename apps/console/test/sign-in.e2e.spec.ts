// Sign-in to the console: password, authenticator app, passkey.

import { expect, it } from '@jest/globals';
import { newPractice } from '@practice/testing';
import { Secret, TOTP } from 'otpauth';
import { consoleUrl, fillSignIn, opened, signedIn, inChromium } from './console.js';

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
});
