import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { stack } from '@practice/testing';
import { programOf } from '../settings/project.js';
import { rolesOf, storedServices, type Service } from '../settings/services.js';

/** The report of a service's own program about its migrations, on the running system. */
async function differences(service: Service): Promise<string> {
  const program = programOf(service, 'migrate');
  const env = { PATH: '', DATABASE_URL: stack().databaseUrl(rolesOf(service).owner) };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...program, '--check'], {
    env,
  }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

describe('the tables that the code wants, the migrations and the running database', () => {
  it.each(storedServices)('are the same for $name', async (service) => {
    expect(await differences(service)).toBe('');
  });
});
