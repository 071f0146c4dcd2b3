// `npm run bench -- --assistant`: the tools of the assistant's endpoint beside the same requests at `/rest/v1`.

import { randomUUID } from 'node:crypto';
import { demand } from '@practice/start';
import { machine } from './machine.js';
import { median } from './report/statistics.js';
import { startOwnStack, writeJson, type Run } from './run.js';

const full = { clients: 200, rounds: 300 };
const quick = { ...full, rounds: 60 };
/** Rounds whose times do not count: code and caches are cold. */
const WARM_UP = 30;
const QUERY = 'order=created_at.desc&limit=50';
const REVISION = '2026-07-28';

interface Access {
  readonly baseUrl: string;
  readonly token: string;
}

/** Measures one request after the other, all kinds in turn, so that a slow moment slows all of them. */
export async function assistant(run: Run): Promise<void> {
  const { flags, stages, signal, say } = run;
  const sizes = flags.quick ? quick : full;
  const { stack, admin } = await startOwnStack(run);
  const person = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const { access_token: session } = (await demand(stack, '/auth/v1/signup', person)) as {
    access_token: string;
  };
  const owner = { ...stack, token: session };
  const clients = Array.from({ length: sizes.clients }, (_, index) => ({
    ...{ id: randomUUID(), name: `Client ${index}` },
  }));
  await demand(owner, '/rest/v1/clients', clients);
  const asked = { name: 'bench', current_password: person.password };
  const { token } = (await demand(owner, '/auth/v1/tokens', asked)) as { token: string };
  const access = { baseUrl: stack.baseUrl, token };
  const values = { client_id: clients[0]?.id, content: 'a message' };
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    'list of 50 clients': () =>
      demand({ ...stack, token }, { method: 'GET', path: `/rest/v1/clients?${QUERY}` }),
    'tool read, the same list': () => use(access, 'read', { resource: 'clients', query: QUERY }),
    'write of a message': () => demand({ ...stack, token }, '/rest/v1/conversation_log', values),
    'tool record, the proposal of it': () => use(access, 'record', { resource: 'conversation_log', values }),
  };
  const taken: Record<string, number[]> = {};
  await stages.run('Measured', async () => {
    for (let round = -WARM_UP; round < sizes.rounds; round += 1)
      for (const [kind, ask] of Object.entries(kinds)) {
        signal.throwIfAborted();
        const began = performance.now();
        await ask();
        if (round >= 0) (taken[kind] ??= []).push(performance.now() - began);
      }
  });
  const where = await machine(admin);
  say(`\n${where.cores} × ${where.cpu}; load average ${where.loadAverage.toFixed(1)}\n`);
  for (const line of comparedIn(taken)) say(line);
  writeJson(run, { machine: where, sizes, taken });
}

/** A line for each kind; each second one is compared with the one before. */
function comparedIn(taken: Readonly<Record<string, readonly number[]>>): string[] {
  const times = Object.entries(taken).map(([kind, all]) => [kind, median(all)] as const);
  return times.map(([kind, one], index) => {
    const base = times[index - (index % 2)]?.[1] ?? one;
    return `  ${kind.padEnd(34)} ${one.toFixed(1).padStart(6)} ms ${(one / base).toFixed(2).padStart(6)} ×`;
  });
}

/** Calls a tool. @throws {Error} when the tool refuses */
async function use({ baseUrl, token }: Access, name: string, args: object): Promise<void> {
  const prefix = 'io.modelcontextprotocol';
  const _meta = {
    [`${prefix}/protocolVersion`]: REVISION,
    [`${prefix}/clientInfo`]: { name: 'bench', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  };
  const params = { name, arguments: args, _meta };
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ authorization: `Bearer ${token}`, 'mcp-protocol-version': REVISION },
      ...{ 'mcp-method': 'tools/call', 'mcp-name': name },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await response.json()) as { result?: { isError?: boolean } };
  if (result === undefined || result.isError === true) throw new Error(`${name}: ${response.status}`);
}
