import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';
import { stack } from './stack.js';

/**
 * A connection of a superuser to the databases of the shared stack, opened before the tests of a file or a block and closed after them.
 * Call it before other hooks: they run in the order in which they are declared. A hook that needs it after the tests opens its own.
 * @param url the URL of another user, if it is not a superuser
 */
export function adminDatabase(url = stack().adminDatabaseUrl): pg.Client {
  const admin = new pg.Client({ connectionString: url });
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());
  return admin;
}
