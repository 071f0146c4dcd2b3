// The consent page in a real browser: without scripts, in a frame, with assistive technology, and for people with a passkey.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserPath, eventually, newPractice, NO_BROWSER, type Practice, stack } from '@practice/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { register } from './authenticator.js';
import { codeOf, enroll, password, signUp } from './mfa-accounts.js';
import { type App, begin, CALLBACK, exchange, registeredApp } from './oauth-apps.js';

const program = browserPath();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCOPE = 'appointments:read clients:write sessions:read';
/** No program asks the network for the website of the app. */
const WITHOUT_APP = '--host-resolver-rules=MAP calendar.example ~NOTFOUND';

if (program === undefined) it.skip(NO_BROWSER, () => {});
else {
  let browser: Browser;
  let practice: Practice;
  let app: App;
  /** A gateway on a host that can have passkeys. */
  let local: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
  let localUrl: string;
  /** The host `localhost`, on a port that is known before the gateway starts. */
  const host = createServer((asked, answered) => {
    const { method, headers, url } = asked;
    const sent = request(`${local.origin}${url}`, { method, headers }, (response) => {
      answered.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answered);
    });
    asked.pipe(sent);
  });
  beforeAll(async () => {
    await once(host.listen(0, '127.0.0.1'), 'listening');
    localUrl = `http://localhost:${(host.address() as AddressInfo).port}`;
    [browser, practice, local] = await Promise.all([
      chromium.launch({ executablePath: program, args: [WITHOUT_APP] }),
      newPractice(),
      stack().spawnProcess('gateway', { BASE_URL: localUrl }),
    ]);
    app = await registeredApp(practice);
  });
  afterAll(async () => {
    await browser.close();
    host.close();
    await local.stop();
  });

  /** A page of a new visitor. */
  const visitor = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(60_000);
    return page;
  };

  /** The address of the app to which a step redirects the visitor. */
  async function redirectOf(page: Page, step: Promise<void>): Promise<string> {
    const [request] = await Promise.all([page.waitForRequest(`${CALLBACK}?**`), step]);
    return request.url();
  }

  async function consentUrl(origin = stack().baseUrl, scope = SCOPE) {
    const begun = await begin(app, scope);
    return { begun, url: `${origin}/oauth/consent?authorization_id=${begun.authorizationId}` };
  }

  async function signIn(page: Page, { email, password: secret }: { email: string; password: string }) {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('gives access without scripts, and leads back to the app', async () => {
    const page = await visitor({ javaScriptEnabled: false });
    const { begun, url } = await consentUrl();
    await page.goto(url);
    await signIn(page, practice);
    const text = await page.innerText('main');
    for (const shown of ['Calendar Sync', 'calendar.example', 'My practice', practice.email])
      expect(text).toContain(shown);
    expect(await page.getByLabel('appointments:read').isChecked()).toBe(true);
    expect(await page.getByLabel('sessions:read').isChecked()).toBe(false);
    await page.getByLabel('clients:write').uncheck();
    const redirected = await redirectOf(page, page.getByRole('button', { name: 'Give access' }).click());
    expect((await exchange(app, begun, redirected)).scope).toBe('appointments:read');
    const again = await consentUrl();
    const later = await visitor({ javaScriptEnabled: false });
    await later.goto(again.url);
    const redirectedAgain = await redirectOf(later, signIn(later, practice));
    expect((await exchange(app, again.begun, redirectedAgain)).scope).toBe('appointments:read');
  });

  it('asks for the code of an authenticator app', async () => {
    const account = await signUp();
    const { secret } = await enroll(account);
    const page = await visitor({ javaScriptEnabled: false });
    await page.goto((await consentUrl()).url);
    await signIn(page, { email: account.email, password });
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.innerText('main')).toContain(`You are signed in as ${account.email}`);
  });

  it('signs in a person who has only a passkey', async () => {
    const account = await signUp();
    const { passkey } = await register(account.supabase);
    const page = await visitor();
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    const privateKey = passkey?.key.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    const base64 = (text = ''): string => Buffer.from(text, 'base64url').toString('base64');
    const known = { credentialId: base64(passkey?.credentialId), userHandle: base64(passkey?.userHandle) };
    const credential = { ...known, privateKey, rpId: 'localhost', isResidentCredential: true, signCount: 5 };
    await devices.send('WebAuthn.addCredential', { authenticatorId, credential });
    await page.goto((await consentUrl(localUrl)).url);
    await page.getByRole('link', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/oauth/consent?authorization_id=*');
    expect(await page.innerText('main')).toContain(`You are signed in as ${account.email}`);
  });

  it('names the host of the passkeys on a host where they do not work', async () => {
    const page = await visitor();
    await page.goto(`${stack().baseUrl}/oauth/passkey?next=device%3F`);
    expect(await page.innerText('main')).toContain('Your passkey works at localhost only');
  });

  it('is not shown in a frame', async () => {
    const { url } = await consentUrl();
    const page = await visitor();
    await page.route(`${localUrl}/evil`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}"></iframe>` }),
    );
    await page.goto(`${localUrl}/evil`);
    // Chromium shows its own page in place of a page that refuses the frame.
    const refused = () => page.frames()[1]?.url().startsWith('chrome-error:');
    await eventually('the frame is refused', () => refused());
  });

  it.each(['light', 'dark'] as const)('has no finding of axe in the %s scheme', async (colorScheme) => {
    const page = await visitor({ colorScheme, bypassCSP: true });
    const script = await readFile(axe, 'utf8');
    const findings = async (): Promise<unknown> => {
      await page.evaluate(script);
      return page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
        [id, ...nodes.map(({ html }) => html)]))`);
    };
    const { url } = await consentUrl(undefined, 'appointments:read sessions:read clients:read');
    await page.goto(url);
    expect(await findings()).toEqual([]);
    await signIn(page, { email: practice.email, password: 'wrong' });
    await page.getByRole('alert').waitFor();
    expect(await findings()).toEqual([]);
    await page.goto(url);
    await signIn(page, practice);
    await page.getByRole('button', { name: 'Give access' }).waitFor();
    expect(await findings()).toEqual([]);
    for (const path of ['device', 'device?done']) {
      await page.goto(`${stack().baseUrl}/oauth/${path}`);
      expect([path, await findings()]).toEqual([path, []]);
    }
    await page.goto(`${localUrl}/oauth/passkey?next=device%3F`);
    expect(await findings()).toEqual([]);
  });
}
