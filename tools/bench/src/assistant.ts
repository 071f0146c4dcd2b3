// `npm run bench -- --assistant`: compares the tools of the assistant's endpoint with the same requests at `/rest/v1`.

import { randomUUID } from 'node:crypto';
import { demand, signUp, type ApiAccess } from '@practice/start';
import { compareInTurn, type Kinds } from './in-turn.js';
import { startOwnStack, type Run } from './run.js';

const full = { clients: 200, rounds: 300 };
const quick = { ...full, rounds: 60 };
const WARM_UP = 30;
const QUERY = 'order=created_at.desc&limit=50';
const REVISION = '2026-07-28';

export async function assistant(run: Run): Promise<void> {
  const sizes = run.flags.quick ? quick : full;
  const { stack, admin } = await startOwnStack(run);
  const owner = await signUp(stack);
  const clients = Array.from({ length: sizes.clients }, (_, index) => ({
    ...{ id: randomUUID(), name: `Client ${index}` },
  }));
  await demand(owner, '/rest/v1/clients', clients);
  const asked = { name: 'bench', current_password: owner.password };
  const { token } = (await demand(owner, '/auth/v1/tokens', asked)) as { token: string };
  const access = { ...stack, token };
  const values = { client_id: clients[0]?.id, content: 'a message' };
  const kinds: Kinds = {
    'list of 50 clients': () => demand(access, { method: 'GET', path: `/rest/v1/clients?${QUERY}` }),
    'tool read, the same list': () => use(access, 'read', { resource: 'clients', query: QUERY }),
    'write of a message': () => demand(access, '/rest/v1/conversation_log', values),
    'tool record, the proposal of it': () => use(access, 'record', { resource: 'conversation_log', values }),
  };
  const bases = ['list of 50 clients', 'write of a message'];
  await compareInTurn(run, kinds, { admin, sizes, warmUp: WARM_UP, bases });
}

/** Calls a tool. @throws {Error} when the tool refuses */
async function use({ baseUrl, token }: Required<ApiAccess>, name: string, args: object): Promise<void> {
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
