import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from './processes/app.js';
import { runningStack } from './running-stack.config.js';
import { rolesOf, services } from './services.js';

/** Whatever a service's own program reports about its migrations, on the running system. */
async function differences(name: string, owner: string): Promise<string> {
  const program = join(projectFolder, 'apps', name, 'dist', 'migrate.js');
  const env = { PATH: '', DATABASE_URL: runningStack().databaseUrl(owner) };
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--check'], { env }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe('the tables that the code wants, the migrations and the running database', () => {
  it.each(services)('are the same for $name', async (service) => {
    expect(await differences(service.name, rolesOf(service).owner)).toBe('');
  });
});
