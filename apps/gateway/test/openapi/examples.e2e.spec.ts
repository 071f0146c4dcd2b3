// Every documented example works unchanged, for a new practice.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, type Practice, write } from '@practice/testing';
import { inOrder } from '../isolation/rows.js';

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

const isFinal = ({ path }: Example): boolean =>
  ['/session_addenda', '/credit_notes', '/payment_allocations'].some((name) => path.startsWith(name));

/** The order of examples: first records that others refer to, then examples about final records, then deletions, and clients last. */
function rank(example: Example): number {
  const { method, path } = example;
  if (method === 'DELETE') return path.startsWith('/clients') ? 5 : 4;
  if (isFinal(example)) return method === 'PUT' ? 2 : 3;
  return method === 'PUT' ? 0 : 1;
}

const inOrderOf = new Map(inOrder().map(({ name }, index) => [name, index]));
const place = ({ path }: Example): number => inOrderOf.get(/^\/(\w+)/.exec(path)?.[1] ?? '') ?? 0;

/** Signs the note and finalizes the invoice, as in the guides. The payment is raised so that it is enough for each example. */
async function finalize(): Promise<void> {
  const id = '0190a000-0000-7000-8000-000000000001';
  for (const [path, method, body] of [
    [`payments?id=eq.${id}`, 'PATCH', { amount: 1000 }],
    ['rpc/finalize_invoice', 'POST', { invoice_id: id }],
    ['rpc/sign_note', 'POST', { session_id: id, meaning: 'authorship' }],
  ] as const) {
    const { status, text } = await write(practice, path, { method, body });
    expect([path, status < 300 ? '' : text]).toEqual([path, '']);
  }
}

describe('the documented examples', () => {
  it('all succeed', async () => {
    const examples = operations.flatMap(([, operation]) => operation['x-example'] ?? []);
    expect(examples.length).toBeGreaterThan(30);
    const sorted = examples.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b));
    const failed: unknown[] = [];
    for (const example of sorted) {
      if (example === sorted.find(isFinal)) await finalize();
      const { method, path, body } = example;
      const headers = { prefer: 'return=representation' };
      const { status, text } = await write(practice, path.slice(1), {
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
