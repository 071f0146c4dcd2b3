// An upgrade as operators do it: an earlier version writes, stops, and this version starts on the same data folder.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../commands.js';
import { machineEnvironment, readSettings, upgradeFrom } from '../dev.config.js';
import { keySettingIn, keysFolderOf, type KeyList } from '../key-lists.js';
import { freePort } from '../ports.js';
import { programOf, projectFolder } from '../processes/app.js';
import type { RunFile } from '../run-file.js';
import { services } from '../services.js';
import { startStack, type Stack } from '../stack.js';
import { until } from '../until.js';
import { login, writeSpread } from './spread.js';
import { readSettled, readStored, type StoredRow } from './stored-data.js';

const run = promisify(execFile);

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', stdio: 'pipe' }).trim();

/**
 * A version whose outbox has another key, with 12 files of migrations fewer. It is the starting point until a release has a tag.
 */
const BEFORE_RELEASES = 'd13f479802a346144f2137d5119ff097135b252e';

/** The commit to upgrade from: UPGRADE_FROM, or the newest release. Undefined if the clone has neither. */
function previousVersion(): string | undefined {
  const named = upgradeFrom();
  if (named !== undefined) return named;
  try {
    return git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD');
  } catch {
    return hasCommit(BEFORE_RELEASES) ? BEFORE_RELEASES : undefined;
  }
}

function hasCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

const previous = previousVersion();
/** Hooks do not run if every test is skipped, so nothing is made then. */
const home = previous === undefined ? '' : mkdtempSync(join(tmpdir(), 'practice-upgrade-'));
const [tree, dataDir] = [join(home, 'tree'), join(home, 'data')];

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A clone, as a build tool of the release may write into the repository that a worktree belongs to. */
async function checkOut(commit: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', projectFolder, tree]);
  await run('git', ['checkout', '--quiet', commit], { cwd: tree });
}

async function startPrevious(): Promise<{ readonly running: RunFile; readonly child: ChildProcess }> {
  const env = { ...machineEnvironment(), PORT: String(await freePort()), DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['infra/dev/bin/start.mjs'], { cwd: tree, env, stdio: 'pipe' });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (printed += String(text)));
  const file = join(dataDir, 'run.json');
  // It installs and compiles first, beside other specs.
  await until(() => existsSync(file) || child.exitCode !== null || undefined, { within: 800_000 });
  if (!existsSync(file)) {
    child.kill('SIGTERM');
    throw new Error(`${previous} did not start:\n${printed}`);
  }
  return { running: JSON.parse(readFileSync(file, 'utf8')) as RunFile, child };
}

async function stopPrevious(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** The first start of this version makes `users` from `credentials`, and adds each owner's membership to identity's log. */
const CHANGED = new Set(['identity.credentials', 'identity.practice_head']);

/** Events with their personal values, which the log has sealed. */
function opened(rows: readonly StoredRow[]): StoredRow[] {
  const keyOf = ({ schema, row }: StoredRow): string =>
    [schema, row['therapist_id'], row['position']].join(' ');
  const personal = new Map(
    rows.flatMap((one) => (one.table === 'personal_values' ? [[keyOf(one), one.row]] : [])),
  );
  return rows.map((one) => {
    const plain = one.table === 'events' ? personal.get(keyOf(one)) : undefined;
    if (plain === undefined) return one;
    const values = ['data', 'previous'].map((name) => {
      const { $sealed: _, ...kept } = (one.row[name] ?? {}) as { $sealed?: string };
      return [name, one.row[name] == null ? null : { ...kept, ...(plain[name] as object | null) }];
    });
    return { ...one, row: { ...one.row, ...Object.fromEntries(values) } };
  });
}

/** Rows by their key, each with the columns that the previous release had. */
const keyed = (rows: readonly StoredRow[]): Map<string, StoredRow['row']> =>
  new Map(
    rows.flatMap(({ schema, table, row: { _json, ...row } }) => {
      if (table === 'migrations' || CHANGED.has(`${schema}.${table}`)) return [];
      const { therapist_id: practice, position, resource, id } = row;
      return [[[schema, table, practice, table === 'events' ? position : '', resource, id].join(' '), row]];
    }),
  );

if (previous === undefined) {
  describe('an upgrade from an earlier version', () => {
    it.skip('is not tested: this clone has no earlier commits (fetch them, or set UPGRADE_FROM)', () =>
      undefined);
  });
} else {
  describe(`an upgrade from ${previous}`, () => {
    let written: StoredRow[];
    let stack: Stack;

    beforeAll(async () => {
      await checkOut(previous);
      const { running, child } = await startPrevious();
      try {
        await writeSpread({ baseUrl: running.base_url, apikey: running.apikey });
        written = await readSettled(running.database_url);
      } finally {
        await stopPrevious(child);
      }
      stack = await startStack({ settings: { ...readSettings({}), PORT: 0, DATA_DIR: dataDir } });
    }, 900_000);

    afterAll(() => stack?.stop());

    it('keeps every row', async () => {
      const after = keyed(opened(await readStored(stack.adminDatabaseUrl)));
      const before = keyed(opened(written));
      expect(before.size).toBeGreaterThan(30);
      for (const [key, row] of before) {
        const { sequence: noted, ...kept } = row;
        expect([key, after.get(key)]).toEqual([key, expect.objectContaining(kept)]);
        // A service notes every few seconds how far its followers are.
        if (noted !== undefined)
          expect(Number(after.get(key)?.['sequence'])).toBeGreaterThanOrEqual(Number(noted));
      }
    });

    it('answers the same practice', async () => {
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

    it.each(services.filter(({ answers }) => answers))('agrees with the log of $name', async (service) => {
      const keySetting = (keys: KeyList): string => keySettingIn(keysFolderOf(dataDir), keys);
      const env = programEnvironment(service, { ...stack, keySetting });
      const { stdout } = await run(process.execPath, [...programOf(service, 'rebuild'), '--check'], { env });
      expect(stdout).toContain('0 rows differ');
    });
  });
}
