// An upgrade as operators do it: an earlier version writes, stops, and this version starts on the same data folder.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  argumentsOfScript,
  type Child,
  freePort,
  machineEnvironment,
  programEnvironment,
  programOf,
  projectFolder,
  readSettings,
  services,
  startReady,
} from '@practice/operator';
import { upgradeFrom } from './upgrade.config.js';
import { checkOut, type RunFile, serversOf, type Stack, startStack } from '@practice/start';
import { login, writeSpread } from './spread.js';
import { readSettled, readStored, type StoredRow } from './stored-data.js';

const run = promisify(execFile);
/** Only for a release that does not stop: an upgrade after a kill would be another test. */
const STOPPED_WITHIN_MS = 300_000;

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', stdio: 'pipe' }).trim();

/** The commit to upgrade from: UPGRADE_FROM, or the newest release. Undefined if this clone has neither. */
function previousVersion(): string | undefined {
  const named = upgradeFrom();
  if (named !== undefined) return named;
  try {
    return git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD');
  } catch {
    return firstOfMigrations();
  }
}

/** The commit that added the first of the present migrations, which is used until a release has a tag. A shallow clone does not have it. */
function firstOfMigrations(): string | undefined {
  const folder = 'apps/finance/migrations';
  const [first = ''] = readdirSync(join(projectFolder, folder)).sort();
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return undefined;
    return git('log', '--diff-filter=A', '--format=%H', '--', join(folder, first)).split('\n').at(-1);
  } catch {
    return undefined;
  }
}

const previous = previousVersion();
/** Not made if every test is skipped, as hooks would not run then. */
const home = previous === undefined ? '' : mkdtempSync(join(tmpdir(), 'practice-upgrade-'));
const [tree, dataDir] = [join(home, 'tree'), join(home, 'data')];

afterAll(() => rmSync(home, { recursive: true, force: true }));

async function startPrevious(): Promise<{ readonly running: RunFile; readonly child: Child }> {
  const file = join(dataDir, 'run.json');
  const child = await startReady(
    {
      name: `npm start of ${previous}`,
      command: process.execPath,
      args: argumentsOfScript('start', tree),
      cwd: tree,
      env: { ...machineEnvironment(), PORT: String(await freePort()), DATA_DIR: dataDir },
      logFile: join(home, 'npm-start.log'),
      orphaned: 'SIGINT',
    },
    // The version compiles first, while other specs run.
    { isReady: () => existsSync(file), within: 1_500_000 },
  );
  return { running: JSON.parse(readFileSync(file, 'utf8')) as RunFile, child };
}

/** Rows by their key, each with the columns that the previous release had. */
const keyed = (rows: readonly StoredRow[]): Map<string, StoredRow['row']> =>
  new Map(
    rows.flatMap(({ schema, table, row: { _json, ...row } }) => {
      if (table === 'migrations') return [];
      const { therapist_id: practice, position, resource, id, subscription } = row;
      const place = table === 'events' ? position : subscription;
      return [[[schema, table, practice, place, resource, id].join(' '), row]];
    }),
  );

if (previous === undefined) {
  describe('an upgrade from an earlier version', () => {
    it.skip('is not tested: this clone is shallow (fetch the tags, or set UPGRADE_FROM)', () => undefined);
  });
} else {
  describe(`an upgrade from ${previous}`, () => {
    let written: StoredRow[];
    let stack: Stack;

    beforeAll(async () => {
      // Postgres runs as another user if root runs this: it must reach the packages and the data.
      chmodSync(home, 0o755);
      await checkOut(previous, tree);
      const { running, child } = await startPrevious();
      try {
        await writeSpread({ baseUrl: running.base_url, apikey: running.apikey });
        written = await readSettled(running.database_url);
      } finally {
        await child.stop('SIGTERM', STOPPED_WITHIN_MS);
      }
      stack = await startStack({ settings: { ...readSettings({}), PORT: 0, DATA_DIR: dataDir } });
    }, 1_800_000);

    afterAll(() => stack?.stop());

    it('keeps every row', async () => {
      const after = keyed(await readStored(stack.adminDatabaseUrl));
      const before = keyed(written);
      expect(before.size).toBeGreaterThan(30);
      for (const [key, row] of before) {
        const { sequence: noted, ...kept } = row;
        expect([key, after.get(key)]).toEqual([key, expect.objectContaining(kept)]);
        // A service notes every few seconds how far its followers are.
        if (noted !== undefined)
          expect(Number(after.get(key)?.['sequence'])).toBeGreaterThanOrEqual(Number(noted));
      }
    });

    it('lets the same practice sign in and read its records', async () => {
      const headers = { apikey: stack.apikey, 'content-type': 'application/json' };
      const signIn = { method: 'POST', headers, body: JSON.stringify(login) };
      const signedIn = await fetch(`${stack.baseUrl}/auth/v1/token?grant_type=password`, signIn);
      const { access_token: token } = (await signedIn.json()) as { access_token: string };
      const read = { headers: { ...headers, authorization: `Bearer ${token}` } };
      const answer = await fetch(
        `${stack.baseUrl}/rest/v1/clients?select=name,total_visits&order=name`,
        read,
      );
      expect(await answer.json()).toEqual([
        { name: 'Ada', total_visits: 1 },
        { name: 'Bob', total_visits: 0 },
      ]);
    });

    it.each(services.filter(({ answers }) => answers))('keeps $name equal to its log', async (service) => {
      const env = programEnvironment(service, serversOf(stack));
      const { stdout } = await run(process.execPath, [...programOf(service, 'rebuild'), '--check'], { env });
      expect(stdout).toContain('0 rows differ');
    });
  });
}
