// Every documented example works as it stands, for a new practice.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, type Practice } from '@practice/testing';

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly 'x-example'?: Example;
}

let operations: readonly (readonly [string, Operation])[];
let practice: Practice;

beforeAll(async () => {
  const { json } = await call('/docs/openapi.json');
  const { paths } = json as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  practice = await newPractice();
});

/** Clients first, because other records refer to them; deletions last. */
const rank = ({ method, path }: Example): number =>
  method === 'DELETE' ? (path.startsWith('/clients') ? 3 : 2) : path.startsWith('/clients?') ? 0 : 1;

describe('the documented examples', () => {
  it('all succeed', async () => {
    const examples = operations.flatMap(([, operation]) => operation['x-example'] ?? []);
    expect(examples.length).toBeGreaterThan(30);
    const put = examples.filter(({ method, path }) => method === 'PUT' && path.startsWith('/clients?'));
    const failed: unknown[] = [];
    for (const { method, path, body } of [...put, ...examples.toSorted((a, b) => rank(a) - rank(b))]) {
      const headers = { prefer: 'return=representation' };
      const { status, text } = await practice.rest(path.slice(1), {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      if (status >= 300) failed.push([method, path, body, status, text]);
    }
    expect(failed).toEqual([]);
  });

  it('are shown as curl and supabase-js, with the same body', () => {
    for (const [call, operation] of operations) {
      const example = operation['x-example'];
      if (example === undefined) continue;
      expect([call, operation.description]).toEqual([call, expect.stringMatching(/```sh\ncurl [^`]*```/)]);
      expect([call, operation.description]).toEqual([call, expect.stringContaining('await supabase')]);
      const shown = operation.requestBody?.content['application/json']?.example;
      expect([call, shown]).toEqual([call, example.body]);
      if (example.body !== undefined) expect(operation.description).toContain(JSON.stringify(example.body));
    }
  });
});

describe('the operations', () => {
  it('have distinct summaries', () => {
    const summaries = operations.map(([, { summary }]) => summary);
    expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([]);
  });

  it('list select, order and limit first', () => {
    const read = operations.find(([name]) => name === 'get /rest/v1/appointments')?.[1];
    expect(read?.parameters?.slice(0, 4).map(({ $ref }) => $ref?.split('/').at(-1))).toEqual([
      'select',
      'order',
      'limit',
      'offset',
    ]);
  });
});
