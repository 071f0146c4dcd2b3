// Brings every service's schema up to date, as its owner. It is skipped if the same build did it last.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../postgres/provision.js';
import { projectFolder } from '../settings/project.js';
import type { DatabaseServer } from '../postgres/servers.js';
import type { ServerUrls } from '../settings/server-urls.js';
import type { Service } from '../settings/services.js';
import { outputOf, ownerEnvironment } from './run-program.js';

export type MigratedInfra = Pick<ServerUrls, 'databaseUrl'> & {
  readonly databases: readonly DatabaseServer[];
};

/**
 * Migrates all services.
 * @returns the names of the migrated services; empty if this build has migrated them before
 * @throws {Failure} with the output of the migration that failed
 */
export async function migrateAll(infra: MigratedInfra): Promise<string[]> {
  const build = hashOf(['libs', 'apps'].map((part) => join(projectFolder, part)));
  const migrated = await Promise.all(infra.databases.map((server) => migrateOn(server, { infra, build })));
  return migrated.flat();
}

const migrateOn = (
  { adminUrl, services }: DatabaseServer,
  { infra, build }: { infra: MigratedInfra; build: string },
): Promise<string[]> =>
  withClient(adminUrl, async (client) => {
    // Another service may have moved to this server, so the hash includes the names of the services.
    const hash = createHash('sha256')
      .update([build, ...services.map(({ name }) => name)].join())
      .digest('hex');
    const { rows } = await client.query(`SELECT FROM infra.applied WHERE name = 'migrations' AND hash = $1`, [
      hash,
    ]);
    if (rows.length > 0) return [];
    await Promise.all(services.map((service) => migrate(service, infra)));
    await client.query(
      `INSERT INTO infra.applied (name, hash) VALUES ('migrations', $1)
       ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, at = now()`,
      [hash],
    );
    return services.map(({ name }) => name);
  });

const migrate = (service: Service, infra: MigratedInfra): Promise<string> =>
  outputOf(
    { service, program: 'migrate', args: [] },
    ownerEnvironment(service, infra),
    `The migrations of ${service.name} failed`,
  );

/** A hash of all migrations and of all compiled code below these folders. The code is included because it defines the read tables. */
function hashOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const part of readdirSync(folder).sort())
      for (const file of [
        ...filesIn(join(folder, part, 'dist'), '.js'),
        ...filesIn(join(folder, part, 'migrations'), '.sql'),
      ])
        hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function filesIn(folder: string, extension: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .sort()
    .map((file) => join(folder, file));
}
