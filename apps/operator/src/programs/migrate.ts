// Brings every service's schema up to date, as its owner. Skipped if the build is the one that did it last.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { appliedHash, connect, rememberHash } from '../postgres/provision.js';
import { programOf, projectFolder } from '../settings/project.js';
import type { DatabaseServer } from '../postgres/servers.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { rolesOf, type Service } from '../settings/services.js';

export type MigratedInfra = Pick<ServerUrls, 'databaseUrl'> & {
  readonly databases: readonly DatabaseServer[];
};

/**
 * Migrates all services.
 * @returns the names of the services; none if the build has migrated them before
 * @throws {Failure} with the output of the migration that failed
 */
export async function migrateAll(infra: MigratedInfra): Promise<string[]> {
  const build = hashOf(['libs', 'apps'].map((part) => join(projectFolder, part)));
  const migrated = await Promise.all(infra.databases.map((server) => migrateOn(server, { infra, build })));
  return migrated.flat();
}

async function migrateOn(
  { adminUrl, services }: DatabaseServer,
  { infra, build }: { infra: MigratedInfra; build: string },
): Promise<string[]> {
  const client = await connect(adminUrl);
  try {
    // Another service may have moved here: what was migrated is remembered with the services.
    const hash = createHash('sha256')
      .update([build, ...services.map(({ name }) => name)].join())
      .digest('hex');
    if ((await appliedHash(client, 'migrations')) === hash) return [];
    await Promise.all(services.map((service) => migrate(service, infra)));
    await rememberHash(client, 'migrations', hash);
    return services.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function migrate(service: Service, infra: MigratedInfra): Promise<void> {
  const env = {
    ...machineEnvironment(),
    NODE_ENV: 'production',
    TZ: 'UTC',
    DATABASE_URL: infra.databaseUrl(rolesOf(service).owner),
  };
  await promisify(execFile)(process.execPath, [...programOf(service, 'migrate')], { env }).catch(
    (cause: { stdout?: string; stderr?: string }) => {
      throw new Failure(
        `The migrations of ${service.name} failed:\n${cause.stdout ?? ''}${cause.stderr ?? ''}`,
        { cause },
      );
    },
  );
}

/** A hash of all migrations and of all compiled code below these folders: read tables follow from the code. */
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
