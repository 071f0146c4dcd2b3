// The conformance suite of MCP tests the OAuth server. Its own program runs its scenarios for authorization servers.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { auth, conformance, newPractice, type Practice, stack } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The client that the suite uses. It has no secret: the suite sends none to a server that also has public clients. */
async function publicClient(): Promise<string[]> {
  const port = await freePort();
  const body = { name: 'Conformance', kind: 'public', redirect_uris: ['http://127.0.0.1/callback'] };
  const headers = { prefer: 'return=representation' };
  const { json } = await practice.rest('oauth_clients', { method: 'POST', headers, body });
  const [{ id }] = json as [{ id: string }];
  return ['--client-id', id, '--port', String(port)];
}

/** Acts like the browser of a person: opens the link of an app, approves the request, and follows the redirect. */
async function consent(link: string): Promise<void> {
  // The suite asks for no scope, and a grant has at least one.
  const begun = await fetch(`${link}&scope=appointments:read`, { redirect: 'manual' });
  const page = new URL(begun.headers.get('location') ?? 'none:');
  const id = page.searchParams.get('authorization_id');
  const given = { token: practice.token, body: { action: 'approve' } };
  const { json } = await auth('POST', `oauth/authorizations/${id}/consent`, given);
  await fetch((json as { redirect_url: string }).redirect_url);
}

/** Runs the scenarios for authorization servers. Returns the statuses and errors of all checks. */
async function run(options: readonly string[]): Promise<string[]> {
  const url = `${stack().baseUrl}/auth/v1`;
  let answered: Promise<void> | undefined;
  const results = await conformance(['authorization', '--url', url, ...options], (printed) => {
    const link = /http\S+\/oauth\/authorize\?\S+(?=\s)/.exec(printed)?.[0];
    if (link !== undefined) answered ??= consent(link);
  });
  await answered;
  return [...results.values()]
    .flat()
    .map(({ id, status, errorMessage = '' }) => `${id} ${status} ${errorMessage}`.trim())
    .sort();
}

it('passes the scenarios of the suite', async () => {
  const resource = ['--resource', `${stack().baseUrl}/mcp`];
  expect(await run([...(await publicClient()), ...resource])).toEqual([
    'authorization-code-grant SUCCESS',
    'authorization-server-metadata SUCCESS',
    'authorization-server-metadata-cimd SUCCESS',
  ]);
});
