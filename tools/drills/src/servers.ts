// One service on a Postgres server of its own, and another server that the other services share.
import { join } from 'node:path';
import { argumentsOfScript, machineEnvironment, readSettings, run, until } from '@practice/operator';
import { type ApiAccess, signUp } from '@practice/start';
import { callAs, firstRow } from './kit/call.js';
import type { Drill, Drilling } from './kit/drill.js';
import { runSpecs } from './kit/specs.js';
import { ask, startServer, startSystem, type DrillPostgres } from './kit/system.js';

const HEALED_WITHIN = 20_000;

export const servers: Drill = {
  name: 'servers',
  title: 'clients has a Postgres server of its own, and loses it for a while',
  run: async (drilling) => {
    const [shared, own] = await Promise.all([startServer(drilling, 'shared'), startServer(drilling, 'own')]);
    const clients = { DATABASE_URL: own.url, DATABASE_POOL_URL: '', DATABASE_REPLICA_URL: '' };
    const ofServices = { ...readSettings({}).ofServices, clients };
    const system = await startSystem(drilling, { DATABASE_URL: shared.url, ofServices });
    await runSpecs(system, drilling.check, 'on two servers');
    await checkPlaces(drilling, shared, own);
    await loseServer(drilling, system, own);
  },
};

async function checkPlaces(drilling: Drilling, shared: DrillPostgres, own: DrillPostgres): Promise<void> {
  const { check } = drilling;
  const [there = [], here = []] = await Promise.all([shared, own].map(schemasOf));
  const isApart = !there.includes('clients') && there.includes('scheduling') && here.join() === 'clients';
  check('each server has the schemas of its services only', isApart, [there, here]);
  const command = commandsOn(drilling);
  check('log verify reads the logs of both servers', await command('log', 'verify'));
  for (const service of ['clients', 'scheduling'])
    check(
      `projections rebuild --check finds the tables of ${service}`,
      await command('projections', 'rebuild', service, '--check'),
    );
}

async function loseServer(
  { check }: Drilling,
  system: Pick<ApiAccess, 'baseUrl' | 'apikey'>,
  own: DrillPostgres,
): Promise<void> {
  const call = callAs(await signUp(system));
  const made = await call('POST clients', { name: 'Ada' }, { prefer: 'return=representation' });
  const id = String(firstRow(made)['id']);
  const slot = { date: '2030-01-07', start_time: '09:00', end_time: '09:50', client_id: id };
  await call('POST appointments', slot);
  const mirrored = (): Promise<unknown> => call('GET appointments').then((a) => firstRow(a)['client_name']);

  await own.stop();
  const gone = await call('GET clients');
  check('without its server, clients is 503', gone.status === 503, gone);
  const name = await mirrored();
  check('other services answer meanwhile, with the names that they mirror', name === 'Ada', name);
  const expense = { date: '2030-01-02', amount: 12.5, category: 'Rent' };
  const { status } = await call('POST expenses', expense);
  check('other services write meanwhile', status === 201, status);

  await own.start();
  const rename = async (): Promise<boolean> =>
    (await call(`PATCH clients?id=eq.${id}`, { name: 'Ada King' })).status === 204;
  check('clients writes again by itself', await soon(rename));
  check('its events reach the other server', await soon(async () => (await mirrored()) === 'Ada King'));
}

const soon = async (isMet: () => Promise<boolean>): Promise<boolean> =>
  (await until(isMet, { within: HEALED_WITHIN, every: 100 })) ?? false;

/** Runs `npm run PROGRAM -- …` on the running system. @returns whether it succeeded */
const commandsOn =
  ({ folder }: Drilling) =>
  (program: string, ...args: string[]): Promise<boolean> =>
    run(process.execPath, [...argumentsOfScript(program), ...args], {
      env: { ...machineEnvironment(), DATA_DIR: join(folder, 'data') },
    }).then(
      () => true,
      () => false,
    );

/** The schemas on a server that have a role of the same name, in order: the ones of services. */
const schemasOf = async ({ url }: DrillPostgres): Promise<string[]> => {
  const found = await ask<{ name: string }>(
    url,
    `SELECT nspname AS name FROM pg_namespace JOIN pg_roles ON rolname = nspname WHERE nspname NOT LIKE 'pg%' ORDER BY 1`,
  );
  return found.map(({ name }) => name);
};
