// `--seed`: a demo practice with a year of appointments, made through the API like anyone's.
import { Failure } from '../failure.js';
import { openSecrets } from '../secrets.js';
import type { Stack } from '../stack.js';
import type { Stages } from '../stages.js';
import type { Login } from '../welcome.js';
import { ask, demand, type ApiAccess } from './api.js';
import { openSpans, servicesOffered } from './practice.js';
import { chanceFrom } from './random.js';
import { yearRound, type SeedAppointment } from './year.js';

const EMAIL = 'demo@example.com';
const CHANCE = 20_260_101;
/** What one bulk write may hold. */
const ROWS_AT_ONCE = 1000;

/**
 * Makes the demo practice, unless it is there already.
 * @returns its login; the password is this data folder's own
 * @throws {Failure} with what the API answered, when it refused
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
    async () => fill({ ...stack, token: await enter(stack, login) }),
    (count) => (count === 0 ? 'there already' : `${count} appointments`),
  );
  return login;
}

async function enter(stack: ApiAccess, login: Login): Promise<string> {
  const signedIn = await ask(stack, '/auth/v1/token?grant_type=password', login);
  const answer = signedIn.status === 200 ? signedIn : await ask(stack, '/auth/v1/signup', login);
  const { access_token } = (answer.body ?? {}) as { access_token?: string };
  if (access_token !== undefined) return access_token;
  throw new Failure(`${EMAIL} cannot sign up or in: ${JSON.stringify(answer.body)}`);
}

async function fill(access: ApiAccess): Promise<number> {
  const existing = (await demand(access, '/rest/v1/appointments?select=id&limit=1')) as unknown[];
  if (existing.length > 0) return 0;
  const ids = await serviceIds(access);
  const hours = (await demand(access, '/rest/v1/business_hours?select=id&limit=1')) as unknown[];
  if (hours.length === 0) await demand(access, '/rest/v1/business_hours', openSpans);
  const today = new Date().toISOString().slice(0, 10);
  const rows = yearRound(today, chanceFrom(CHANCE)).map((one) => rowOf(one, ids));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await demand(access, '/rest/v1/appointments', rows.slice(at, at + ROWS_AT_ONCE));
  }
  return rows.length;
}

/** Ids of the services offered, by name; those that are missing are made. */
async function serviceIds(access: ApiAccess): Promise<ReadonlyMap<string, string>> {
  const read = async () =>
    (await demand(access, '/rest/v1/service_menu?select=id,name')) as { id: string; name: string }[];
  const known = new Set((await read()).map(({ name }) => name));
  const missing = servicesOffered
    .filter(({ name }) => !known.has(name))
    .map(({ name, duration, price, capacity }) => ({ name, duration, price, capacity }));
  if (missing.length > 0) await demand(access, '/rest/v1/service_menu', missing);
  return new Map((await read()).map(({ id, name }) => [name, id]));
}

function rowOf({ service, ...rest }: SeedAppointment, ids: ReadonlyMap<string, string>) {
  return { ...rest, service_id: ids.get(service) ?? null };
}
