// Passkeys in a real browser: a page of an app with the real client, and an authenticator that Chromium simulates.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, newPractice, NO_BROWSER, stack } from '@practice/testing';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';

const program = browserPath();
const require = createRequire(import.meta.url);
/** The real client as a single file for pages. */
const bundle = require.resolve('@supabase/supabase-js/dist/umd/supabase.js');

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  let browser: Browser;
  /** The app: a page that contains only a client. */
  const app = createServer((_request, response) => {
    const { baseUrl, apikey } = stack();
    const client = `supabase.createClient(${JSON.stringify(baseUrl)}, ${JSON.stringify(apikey)})`;
    void readFile(bundle, 'utf8').then((script) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<script>${script}</script><script>const client = ${client};</script>`);
    });
  });

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program });
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
  });
  afterAll(async () => {
    await browser.close();
    app.close();
  });

  interface Opened {
    readonly page: Page;
    readonly devices: CDPSession;
    readonly authenticatorId: string;
    /** Runs a statement of the app and returns its result. */
    readonly run: <Result>(statement: string) => Promise<Result>;
  }

  /** The page of the app under a host, in a browser with its own authenticator. */
  async function opened(host = 'localhost'): Promise<Opened> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`http://${host}:${(app.address() as AddressInfo).port}/`);
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    return {
      page,
      devices,
      authenticatorId,
      run: (statement) => page.evaluate(`(async () => ${statement})()`),
    };
  }

  const signInBy = ({ email, password }: { email: string; password: string }): string =>
    `client.auth.signInWithPassword(${JSON.stringify({ email, password })})`;

  it('makes a passkey with registerPasskey, and signs in with signInWithPasskey, which asks for no address', async () => {
    const person = await newPractice();
    const { page, run } = await opened();
    expect(await run(signInBy(person))).toMatchObject({ error: null });
    const made = await run<{ data: { id: string } }>('client.auth.registerPasskey()');
    expect(made).toMatchObject({ error: null, data: { id: expect.any(String) } });
    const renamed = { passkeyId: made.data.id, friendlyName: 'Laptop' };
    expect(await run(`client.auth.passkey.update(${JSON.stringify(renamed)})`)).toMatchObject({
      error: null,
    });
    expect(await run("client.auth.signOut({ scope: 'local' })")).toMatchObject({ error: null });

    const signedIn = await run('client.auth.signInWithPasskey()');
    expect(signedIn).toMatchObject({ error: null, data: { user: { email: person.email } } });
    expect(await run('client.auth.mfa.getAuthenticatorAssuranceLevel()')).toMatchObject({
      data: { currentLevel: 'aal2', currentAuthenticationMethods: [{ method: 'passkey' }] },
    });
    expect(await run("client.from('clients').select()")).toMatchObject({ error: null, data: [] });
    expect(await run('client.auth.passkey.list()')).toMatchObject({
      data: [{ friendly_name: 'Laptop', last_used_at: expect.any(String) }],
    });
    // The browser does not make a second passkey for the same account.
    expect(await run('client.auth.registerPasskey().then(({ error }) => error.name)')).toBe(
      'InvalidStateError',
    );
    expect(await run(`client.auth.passkey.delete({ passkeyId: '${made.data.id}' })`)).toMatchObject({
      error: null,
    });
    await run("client.auth.signOut({ scope: 'local' })");
    expect(await run('client.auth.signInWithPasskey().then(({ error }) => error.code)')).toBe(
      'webauthn_verification_failed',
    );
    await page.context().close();
  });

  it('refuses a copy of an authenticator whose counter went back', async () => {
    const person = await newPractice();
    const { page, devices, authenticatorId, run } = await opened();
    await run(signInBy(person));
    expect(await run('client.auth.registerPasskey()')).toMatchObject({ error: null });
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId });
    const [{ signCount, ...copy }] = credentials as [(typeof credentials)[0]];
    expect(await run('client.auth.signInWithPasskey()')).toMatchObject({ error: null });
    await devices.send('WebAuthn.clearCredentials', { authenticatorId });
    await devices.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...copy, signCount: signCount - 1 },
    });
    expect(await run('client.auth.signInWithPasskey().then(({ error }) => error.code)')).toBe(
      'webauthn_verification_failed',
    );
    await page.context().close();
  });

  it('is not offered to a page of another host', async () => {
    const person = await newPractice();
    const { page, run } = await opened('evil.localhost');
    await run(signInBy(person));
    const error = await run<string>(
      'client.auth.registerPasskey().then(({ error }) => String(error.message))',
    );
    expect(error).toMatch(/invalid for this domain|RP ID/i);
    await page.context().close();
  });
}
