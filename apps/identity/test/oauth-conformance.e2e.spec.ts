// The conformance suite of MCP judges the OAuth server: its scenarios for authorization servers, run by its own program.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { auth, newPractice, type Practice, stack } from '@practice/testing';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const dataUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
/** The program imports `globSync`, which Node 20 lacks, for a command that is not used here. */
const files = dataUrl(`export * from 'node:fs'; export const globSync = () => [];`);
const hooks = dataUrl(`export const resolve = (name, context, next) =>
  name === 'fs' && String(context.parentURL).includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(files)}, shortCircuit: true }
    : next(name, context);`);
const shim = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`);

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

/** The client that the suite uses. With a secret, the suite would not send it, because the server also has public clients. */
async function publicClient(): Promise<string[]> {
  const port = await freePort();
  const body = { name: 'Conformance', kind: 'public', redirect_uris: ['http://127.0.0.1/callback'] };
  const headers = { prefer: 'return=representation' };
  const { json } = await practice.rest('oauth_clients', { method: 'POST', headers, body });
  const [{ id }] = json as [{ id: string }];
  return ['--client-id', id, '--port', String(port)];
}

/** Does what the browser of a person does with the link of an app: opens it, says yes, and follows the way back. */
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
  const folder = await mkdtemp(join(tmpdir(), 'practice-conformance-'));
  const url = `${stack().baseUrl}/auth/v1`;
  const args = ['authorization', '--url', url, '--output-dir', folder, ...options];
  const suite = spawn(process.execPath, ['--import', shim, program, ...args]);
  let output = '';
  let answered: Promise<void> | undefined;
  suite.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    const link = /http\S+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0];
    if (link !== undefined) answered ??= consent(link);
  });
  await once(suite, 'close');
  await answered;
  const results: string[] = [];
  for (const result of await readdir(folder)) {
    const checks = JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8')) as Check[];
    results.push(
      ...checks.map(({ id, status, errorMessage = '' }) => `${id} ${status} ${errorMessage}`.trim()),
    );
  }
  await rm(folder, { recursive: true });
  return results.sort();
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

it('the scenarios of the suite hold', async () => {
  const resource = ['--resource', `${stack().baseUrl}/mcp`];
  expect(await run([...(await publicClient()), ...resource])).toEqual([
    'authorization-code-grant SUCCESS',
    'authorization-server-metadata SUCCESS',
    'authorization-server-metadata-cimd SUCCESS',
  ]);
}, 60_000);
