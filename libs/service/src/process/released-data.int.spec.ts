// Rows that released versions wrote (`npm run released`) are loaded into the schema of their release and then migrated by the
// present code. All rows must still be there, and folding the log must give the same rows.

import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import {
  checkedRanges,
  checkRanges,
  logTable,
  practicesOf,
  readMigrations,
  run,
  sharedMigrations,
} from '@practice/log';
import { personalOf } from '@practice/resource';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import pg from 'pg';
import { runMigrations } from './migrate.js';
import { rebuild } from '@practice/recovery';

const root = join(import.meta.dirname, '../../../..');
const fixtures = join(import.meta.dirname, '../../fixtures');

interface StoredRow {
  readonly schema: string;
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

const files = existsSync(fixtures) ? readdirSync(fixtures) : [];
const released = files.flatMap((file) => {
  const rows = readFileSync(join(fixtures, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StoredRow);
  const services = readdirSync(join(root, 'apps')).filter((service) =>
    rows.some(({ schema }) => schema === schemaOf(service)),
  );
  return services.map((service) => ({
    file,
    service,
    rows: rows.filter(({ schema }) => schema === schemaOf(service)),
  }));
});

const folderOf = (service: string): string => join(root, 'apps', service, 'migrations');

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs the migrations that the release had, then loads its rows. */
async function load(database: ScratchSchema, service: string, rows: readonly StoredRow[]): Promise<void> {
  const ran = new Set(rows.filter(({ table }) => table === 'migrations').map(({ row }) => row['name']));
  const known = [...sharedMigrations(service), ...readMigrations(folderOf(service))];
  const migrations = known.filter(({ name }) => ran.has(name));
  expect(migrations).toHaveLength(ran.size);
  await connected(database.url(`${schemaOf(service)}_owner`), async (owner) => {
    await owner.query(
      `CREATE TABLE ${schemaOf(service)}.migrations (id serial PRIMARY KEY, timestamp bigint, name varchar)`,
    );
    for (const { sql } of migrations) await owner.query(sql);
    for (const { schema, table, row } of rows)
      await owner.query(
        `INSERT INTO "${schema}"."${table}" SELECT (jsonb_populate_record(NULL::"${schema}"."${table}", $1)).*`,
        [JSON.stringify(row)],
      );
    // The rows have explicit ids, so without this the next migration would get one of these ids.
    await owner.query(
      `SELECT setval(pg_get_serial_sequence('${schemaOf(service)}.migrations', 'id'), max(id))
         FROM ${schemaOf(service)}.migrations`,
    );
  });
}

/** The data of all events as text, and the practices whose chain of hashes is broken. */
async function storedLog(database: ScratchSchema, service: string) {
  return connected(database.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ text: string }>(
      `SELECT coalesce(string_agg(e.data::text || coalesce(e.previous::text, ''), ' '), '') AS text FROM ${logTable(service, 'events')} AS e`,
    );
    const practices = [...(await practicesOf(admin, service)).keys()];
    const ranges = practices.map((therapistId) => ({ therapistId, first: 1, last: null }));
    const checked = checkedRanges(await run(admin, checkRanges(service, ranges)));
    return { text: rows[0]?.text ?? '', broken: checked.filter(({ firstBroken }) => firstBroken !== null) };
  });
}

/** The rows of a table, with the columns that the release had. */
async function stored(database: ScratchSchema, { schema, table, row }: StoredRow): Promise<unknown[]> {
  const columns = Object.keys(row).filter((column) => column !== '_json');
  const members = columns.map((column) => `'${column}', t."${column}"`).join(', ');
  return connected(database.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ row: unknown }>(
      `SELECT jsonb_build_object(${members}) AS row FROM "${schema}"."${table}" AS t`,
    );
    return rows.map((found) => found.row);
  });
}

if (released.length === 0) it.todo('needs the rows of a release: npm run released -- VERSION writes them');
else
  describe.each(released)('the data of $service in $file', ({ service, rows }) => {
    it('are all there after this version has migrated them, and agree with the log', async () => {
      const database = await scratchSchema(schemaOf(service));
      try {
        await load(database, service, rows);
        const url = database.url(`${schemaOf(service)}_owner`);
        await runMigrations({ service }, { folder: folderOf(service), url });
        const tables = [...new Set(rows.map(({ table }) => table))].filter((table) => table !== 'migrations');
        for (const table of tables) {
          const before = rows.filter((row) => row.table === table);
          const after = await stored(database, before[0] as StoredRow);
          const withoutText = before.map(({ row: { _json, ...row } }) => row);
          expect(after).toHaveLength(before.length);
          expect(after).toEqual(expect.arrayContaining(withoutText));
        }
        const resources = resourcesOf(service);
        const personal = resources.flatMap((resource) =>
          rows.flatMap(({ table, row }) =>
            table === resource.name ? (personalOf(resource)?.names ?? []).map((name) => row[name]) : [],
          ),
        );
        const { text, broken } = await storedLog(database, service);
        for (const value of personal.filter((one) => typeof one === 'string'))
          expect([value, text.includes(`"${value}"`)]).toEqual([value, false]);
        expect(broken).toEqual([]);
        const { differences } = await rebuild({ service, url, resources, check: true });
        expect(differences).toEqual([]);
      } finally {
        await database.drop();
      }
    });
  });
