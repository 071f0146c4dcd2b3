// Assistants in specs: each is the client of the MCP SDK, in one of the two protocol revisions.

import { createHash, randomUUID } from 'node:crypto';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { auth, make, patient, type Practice, stack } from '@practice/testing';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // The members differ from tool to tool.
  readonly data: Record<string, never>;
}

export type Assistant = Awaited<ReturnType<typeof assistantWith>>;

/** A personal access token. @param scopes everything of the role if omitted */
export async function personalToken(
  { token, password }: Pick<Practice, 'token' | 'password'>,
  scopes?: readonly string[],
  origin?: string,
): Promise<string> {
  const body = { name: `assistant ${randomUUID()}`, current_password: password, ...(scopes && { scopes }) };
  const { json } = await patient(() => auth('POST', 'tokens', { token, body, origin }));
  return (json as { token: string }).token;
}

const CALLBACK = 'https://assistant.example/callback';

/** The id of an app that the practice registers. */
export async function appOf(practice: Practice, redirectUri: string): Promise<string> {
  const app = { name: 'Assistant', redirect_uris: [redirectUri], kind: 'public' };
  return (await make(practice, 'oauth_clients', app)).id;
}

interface Approved {
  readonly scope: string;
  /** When the app must ask its person. */
  readonly ask: string;
}

/** Approves the request of an app as a person does on the page. @returns the address that the person is sent back to */
export async function approve(
  { token }: Pick<Practice, 'token'>,
  address: string | URL,
  { scope, ask }: Approved,
): Promise<URL> {
  const begun = await fetch(address, { redirect: 'manual' });
  const page = new URL(begun.headers.get('location') ?? 'none:');
  const id = page.searchParams.get('authorization_id');
  const body = { action: 'approve', ask, scopes: scope.split(' ') };
  const { json } = await auth('POST', `oauth/authorizations/${id}/consent`, { token, body });
  return new URL((json as { redirect_url: string }).redirect_url);
}

/** The token of an app that a person has connected. */
export async function grantedToken(practice: Practice, { scope, ask }: Approved): Promise<string> {
  const { baseUrl } = stack();
  const verifier = randomUUID() + randomUUID();
  const app = {
    client_id: await appOf(practice, CALLBACK),
    redirect_uri: CALLBACK,
    resource: `${baseUrl}/mcp`,
  };
  const asked = new URLSearchParams({
    ...{ ...app, scope, response_type: 'code', state: 'spec', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const back = await approve(practice, `${baseUrl}/auth/v1/oauth/authorize?${asked}`, { scope, ask });
  const code = back.searchParams.get('code') ?? '';
  const exchanged = await fetch(`${baseUrl}/auth/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...app, code, grant_type: 'authorization_code', code_verifier: verifier }),
  });
  return ((await exchanged.json()) as { access_token: string }).access_token;
}

interface Options extends ClientOptions {
  readonly era?: Era;
  readonly origin?: string;
}

/** Connects an assistant with a token. */
export async function assistantWith(
  token: string,
  { era = '2026-07-28', origin = stack().baseUrl, ...options }: Options = {},
) {
  const client = new Client(
    { name: 'spec', version: '1' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } }, ...options },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    client,
    call: async (name: string, args: object = {}): Promise<ToolAnswer> => {
      const answer = await client.callTool({ name, arguments: args as Record<string, unknown> });
      const [content] = answer.content as { text: string }[];
      return {
        isError: answer.isError === true,
        text: content?.text ?? '',
        data: answer.structuredContent as Record<string, never>,
      };
    },
  };
}
