// The examples of third-party apps, with a member who gives consent.

import { spawn } from 'node:child_process';
import { beforeAll, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';
import { runningStack } from '@practice/start';
import { auth, eventually, make, newPractice, type Practice } from '@practice/testing';

const { baseUrl } = runningStack();
let practice: Practice;
let clientId = '';
beforeAll(async () => {
  practice = await newPractice();
  const app = { name: 'An example', redirect_uris: ['http://127.0.0.1/callback'], kind: 'public' };
  ({ id: clientId } = await make(practice, 'oauth_clients', app));
});

/** Runs an example, and reads its output. */
function run(example: string) {
  const env = { ...{ PATH: '', BASE_URL: baseUrl, CLIENT_ID: clientId } };
  const child = spawn(process.execPath, [`examples/${example}`], { cwd: projectFolder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const found = (pattern: RegExp): Promise<string> =>
    eventually(`${example} prints ${pattern}`, () => Promise.resolve(pattern.exec(output)?.[1]));
  return { ended, found, printed: () => output };
}

async function approve(authorizationId: string): Promise<string> {
  const path = `oauth/authorizations/${authorizationId}/consent`;
  const { json } = await auth('POST', path, { token: practice.token, body: { action: 'approve' } });
  return (json as { redirect_url: string }).redirect_url;
}

it('oauth-app.mjs reads a week of appointments', async () => {
  const app = run('oauth-app.mjs');
  const asked = await fetch(await app.found(/Open (\S+)/), { redirect: 'manual' });
  const id = new URL(asked.headers.get('location') ?? 'none:').searchParams.get('authorization_id') ?? '';
  const back = await fetch(await approve(id), { headers: { connection: 'close' } });
  expect([back.status, await back.text(), await app.ended]).toEqual([200, '[]', 0]);
});

it('oauth-device.mjs reads the clients once a member has typed the code', async () => {
  await make(practice, 'clients', { name: 'Ada Lovelace' });
  const device = run('oauth-device.mjs');
  const body = { user_code: await device.found(/and type (\S+)/) };
  const { json } = await auth('POST', 'oauth/device', { token: practice.token, body });
  await approve((json as { authorization_id: string }).authorization_id);
  expect(await device.ended).toBe(0);
  expect(device.printed()).toContain('Ada Lovelace');
});
