// Assistants in specs: each is the client of the MCP SDK, in one of the two protocol revisions.

import { randomUUID } from 'node:crypto';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { auth, type Practice, stack } from '@practice/testing';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // The members differ from tool to tool.
  readonly data: Record<string, never>;
}

export interface Assistant {
  readonly client: Client;
  readonly call: (name: string, args?: object) => Promise<ToolAnswer>;
}

/** A personal access token. @param scopes everything of the role if omitted */
export async function personalToken(
  { token, password }: Pick<Practice, 'token' | 'password'>,
  scopes?: readonly string[],
  origin?: string,
): Promise<string> {
  const body = { name: `assistant ${randomUUID()}`, current_password: password, ...(scopes && { scopes }) };
  const { json } = await auth('POST', 'tokens', { token, body, ...(origin !== undefined && { origin }) });
  return (json as { token: string }).token;
}

interface Options extends ClientOptions {
  readonly era?: Era;
  readonly origin?: string;
}

/** Connects an assistant with a token. */
export async function assistantWith(
  token: string,
  { era = '2026-07-28', origin = stack().baseUrl, ...options }: Options = {},
): Promise<Assistant> {
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
    call: async (name, args = {}) => {
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
