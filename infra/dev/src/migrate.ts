// Brings every service's schema up to date, as its owner. Skipped while the build is the one that did it last.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment } from './dev.config.js';
import { Failure } from './failure.js';
import type { Infra } from './infra.js';
import { appliedHash, connect, rememberHash } from './postgres/provision.js';
import { projectFolder } from './processes/app.js';
import { rolesOf, services, type Service } from './services.js';

/**
 * Migrates all services.
 * @returns the names of those that had to be
 * @throws {Failure} with what the migration printed, when one fails
 */
export async function migrateAll(infra: Pick<Infra, 'databaseUrl' | 'adminDatabaseUrl'>): Promise<string[]> {
  const client = await connect(infra.adminDatabaseUrl);
  try {
    const build = hashOf(['libs', 'apps'].map((part) => join(projectFolder, part)));
    if ((await appliedHash(client, 'migrations')) === build) return [];
    await Promise.all(services.map((service) => migrate(service, infra)));
    await rememberHash(client, 'migrations', build);
    return services.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function migrate(service: Service, infra: Pick<Infra, 'databaseUrl'>): Promise<void> {
  const program = join(projectFolder, 'apps', service.name, 'dist', 'migrate.js');
  const env = {
    ...machineEnvironment(),
    NODE_ENV: 'production',
    TZ: 'UTC',
    DATABASE_URL: infra.databaseUrl(rolesOf(service).owner),
  };
  await promisify(execFile)(process.execPath, [program], { env }).catch(
    (cause: { stdout?: string; stderr?: string }) => {
      throw new Failure(
        `The migrations of ${service.name} failed:\n${cause.stdout ?? ''}${cause.stderr ?? ''}`,
        { cause },
      );
    },
  );
}

/** A hash of all compiled code below these folders: migrations call into the libraries, so all of it counts. */
function hashOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const part of readdirSync(folder).sort()) {
      for (const file of compiled(join(folder, part, 'dist'))) hash.update(file).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function compiled(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}
