// Many practices at the same time on few connections: each practice must see only its own rows, and must not inherit a limit of another practice.
import { type ApiAccess, signUp } from '@practice/start';
import { callAs, type CallAs } from './kit/call.js';
import type { Drilling } from './kit/drill.js';

const PRACTICES = 12;
const ROUNDS = 25;

interface Found {
  /** Rows of other practices. */
  readonly strange: unknown[];
  readonly failed: unknown[];
}

/** Reads and writes of many practices at once, with slow reads among them. */
export async function shareConnections(
  system: Pick<ApiAccess, 'baseUrl' | 'apikey'>,
  check: Drilling['check'],
): Promise<void> {
  const practices = await Promise.all(
    Array.from({ length: PRACTICES }, async (_, index) => ({
      name: `Client of practice ${index}`,
      call: callAs(await signUp(system)),
    })),
  );
  const found: Found = { strange: [], failed: [] };
  await Promise.all(practices.map((practice) => writeAndRead(practice, found)));
  const { strange, failed } = found;
  check('practices that share connections see only their own rows', strange.length === 0, strange[0]);
  check('reads and writes on shared connections succeed', failed.length === 0, failed.slice(0, 3));
}

async function writeAndRead(
  { name, call }: { readonly name: string; readonly call: CallAs },
  { strange, failed }: Found,
): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const written = await call('POST clients', { name });
    if (written.status !== 201) failed.push([written.status, written.body]);
    const reads = await Promise.all([
      call('GET clients?select=name'),
      // Takes long: every row is compared with the pattern.
      call('GET clients?select=name,appointments(id)&name=imatch.(.*)*practice.*&order=name'),
    ]);
    for (const { status, body } of reads) {
      const rows = status === 200 ? (body as { name: string }[]) : [];
      if (rows.length !== round) failed.push([status, body]);
      if (rows.some((row) => row.name !== name)) strange.push(body);
    }
  }
}
