// `--seed`: makes a demo practice with half a year of data before and after today, through the API like any other caller.
import { Failure, openSecrets, type Stages } from '@practice/operator';
import type { Stack } from '../stack/stack.js';
import type { Login } from '../stack/welcome.js';
import { ask, demand, type ApiAccess } from './api.js';
import { signedAmong } from './clinical.js';
import { contentOn, type SeedTable } from './content.js';
import { addMoney } from './money.js';
import { OWNER, peopleOf, type People } from './members.js';

const EMAIL = 'demo@example.com';
/** The practice, if it still has the default name. */
const UNNAMED = '/rest/v1/practices?name=eq.My%20practice';
/** Rows in one bulk write. */
const ROWS_AT_ONCE = 1000;
const CONFLICT = 409;
/** Notes that wait for the second signature. */
const WAITING = 2;

/**
 * Makes the demo practice, unless it exists already.
 * @returns its login; the password is this data folder's own
 * @throws {Failure} with the answer of the API, if it refuses
 */
export async function seedDemo(
  stack: Pick<Stack, 'baseUrl' | 'apikey' | 'dataDir'>,
  stages: Stages,
): Promise<Login> {
  const secrets = openSecrets(stack.dataDir);
  const login = { email: EMAIL, password: secrets.get('demo_password') };
  secrets.save();
  await stages.run(
    'Demo practice',
    async () => {
      const owner = { ...stack, token: await enter(stack, login) };
      return fill(await peopleOf(owner, login));
    },
    (count) => (count === 0 ? 'there already' : `${count} records`),
  );
  return login;
}

async function enter(stack: ApiAccess, login: Login): Promise<string> {
  const signedIn = await ask(stack, '/auth/v1/token?grant_type=password', login);
  const answer =
    signedIn.status === 200
      ? signedIn
      : await ask(stack, '/auth/v1/signup', { ...login, data: { full_name: OWNER } });
  const { access_token } = (answer.body ?? {}) as { access_token?: string };
  if (access_token !== undefined) return access_token;
  throw new Failure(`${EMAIL} cannot sign up or in: ${JSON.stringify(answer.body)}`);
}

/** Adds the records. The day of sign-up is the middle of the year, so an interrupted seed continues with the same records. */
async function fill(people: People): Promise<number> {
  const { owner: access, ownerId: owner, therapistId: therapist } = people;
  const { created_at } = (await demand(access, '/auth/v1/user')) as { created_at: string };
  let count = 0;
  const content = contentOn(created_at.slice(0, 10), { owner, therapist });
  for (const { resource, rows } of content) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      count += await add(access, { resource, rows: rows.slice(at, at + ROWS_AT_ONCE) });
  }
  await ask(access, { method: 'PATCH', path: UNNAMED, body: { name: 'Riverside Therapy' } });
  const signed = await sign(people, content);
  return count + signed + (await addMoney(people.billing, created_at.slice(0, 10)));
}

interface SeedNote {
  readonly id: string;
  readonly created_at: string;
  readonly author_id: string | null;
}

/** Has both people sign a note of each month, if it is not signed yet. The owner co-signs the therapist's signed notes, except the last ones. */
async function sign(people: People, content: readonly SeedTable[]): Promise<number> {
  const { owner, ownerId, therapist, therapistId } = people;
  const notes = (content.find(({ resource }) => resource === 'sessions')?.rows ?? []) as SeedNote[];
  const by = (id: string): string[] => signedAmong(notes.filter(({ author_id: author }) => author === id));
  const own = await signAll(owner, by(ownerId), authorship(ownerId));
  if (therapistId === ownerId) return own;
  const supervised = by(therapistId);
  const others = await signAll(therapist, supervised, authorship(therapistId));
  return own + others + (await signAll(owner, supervised.slice(WAITING), cosignature(ownerId)));
}

interface Signature {
  readonly path: string;
  /** The notes that need it. */
  readonly open: string;
  readonly meaning?: 'authorship';
}

const authorship = (author: string): Signature => ({
  path: '/rest/v1/rpc/sign_note',
  open: `status=eq.draft&author_id=eq.${author}`,
  meaning: 'authorship',
});
const cosignature = (supervisor: string): Signature => ({
  path: '/rest/v1/rpc/cosign_note',
  open: `status=eq.signed&cosigned_at=is.null&needs_cosign_by=eq.${supervisor}`,
});

/** Signs each of these notes that still needs this signature. */
async function signAll(
  access: ApiAccess,
  ids: readonly string[],
  { path, open, ...given }: Signature,
): Promise<number> {
  const wanted = `/rest/v1/sessions?select=id&${open}&id=in.(${ids.join(',')})`;
  const notes = (await demand(access, wanted)) as { id: string }[];
  for (const { id } of notes) await demand(access, path, { session_id: id, ...given });
  return notes.length;
}

/** Adds rows in a bulk write, which is all or nothing. If its first or last row exists, or another record conflicts, nothing is added. */
async function add(access: ApiAccess, { resource, rows }: SeedTable): Promise<number> {
  const ends = [rows[0]?.id, rows.at(-1)?.id].join(',');
  const found = (await demand(access, `/rest/v1/${resource}?select=id&limit=1&id=in.(${ends})`)) as unknown[];
  if (found.length > 0) return 0;
  const { status, body } = await ask(access, `/rest/v1/${resource}`, rows);
  if (status < 300) return rows.length;
  if (status === CONFLICT) return 0;
  throw new Failure(`${resource} was answered ${status}: ${JSON.stringify(body)}`);
}
