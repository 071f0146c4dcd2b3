// PgBouncer in transaction mode between the services and Postgres, with fewer connections than the services open.
import { findProgram } from '@practice/chaos';
import { schemaOf, storedServices } from '@practice/operator';
import { startBouncer } from './kit/bouncer.js';
import type { Drill } from './kit/drill.js';
import { runSpecs } from './kit/specs.js';
import { shareConnections } from './shared-connections.js';
import { ask, startServer, startSystem, type DrillPostgres } from './kit/system.js';

const POOL_SIZE = 3;

export const pgbouncer: Drill = {
  name: 'pgbouncer',
  title: 'services read and write through PgBouncer in transaction mode',
  run: async (drilling) => {
    const { check, note } = drilling;
    const program = await findProgram({ program: 'pgbouncer', debian: 'pgbouncer', since: '1.21' });
    const postgres = await startServer(drilling, 'server');
    const bouncer = await startBouncer(drilling, { program, url: postgres.url, poolSize: POOL_SIZE });
    const system = await startSystem(drilling, {
      DATABASE_URL: postgres.url,
      DATABASE_POOL_URL: bouncer.url,
    });
    await runSpecs(system, check, 'through PgBouncer');
    await shareConnections(system, check);
    const connections = await connectionsOf(postgres);
    check(
      `each service has at most ${POOL_SIZE} connections for requests in Postgres`,
      connections.every(({ count }) => count <= POOL_SIZE),
      connections,
    );
    note(`connections for requests: ${connections.map(({ role, count }) => `${role} ${count}`).join(', ')}`);
    await bouncer.restart();
    await runSpecs(system, check, 'after a restart of PgBouncer');
  },
};

const connectionsOf = (postgres: DrillPostgres) =>
  ask<{ role: string; count: number }>(
    postgres.url,
    `SELECT usename AS role, count(*)::int AS count FROM pg_stat_activity WHERE usename = ANY ($1) GROUP BY 1 ORDER BY 1`,
    [storedServices.map(schemaOf)],
  );
