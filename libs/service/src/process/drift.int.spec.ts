import { describe, expect, it } from '@jest/globals';
import { schemaOf } from '@practice/core';
import type { Migration } from '@practice/log';
import { stack } from '@practice/testing';
import { defineService } from '../define-service.js';
import { findDrift, serviceDdl } from '@practice/storage';

const parts = defineService('finance', { rules: {} });
const { service } = parts;
const url = (): string => stack().databaseUrl(`${schemaOf(service)}_owner`);

/** The drift after an edit of the code, which changes the statements that the code wants but not the migrations. */
async function driftAfter(change: (statement: string) => string | null): Promise<readonly string[]> {
  const today = await serviceDdl(parts, url());
  const ddl = today.map(change).filter((statement) => statement !== null);
  const migrations: Migration[] = [{ name: 'all', sql: today.join(';\n') }];
  const { migrations: found } = await drift(migrations, ddl);
  const next = { name: 'next', sql: found.join(';\n') };
  expect((await drift([...migrations, next], ddl)).migrations).toEqual([]);
  return found;
}

const drift = (migrations: readonly Migration[], ddl: readonly string[]) =>
  findDrift(parts, { url: url(), migrations, ddl });

describe('migrations and code', () => {
  it('have no difference when they agree', async () => {
    expect(await driftAfter((statement) => statement)).toEqual([]);
  });

  it.each<[string, RegExp, string, string]>([
    [
      'a column of the log',
      /schema_version integer NOT NULL/,
      'schema_version bigint NOT NULL, origin text',
      'ALTER TABLE "finance"."events" ALTER COLUMN "schema_version" TYPE bigint; ALTER TABLE "finance"."events" ADD COLUMN "origin" text',
    ],
    [
      'a column of the log that may become null',
      /hash bytea NOT NULL,\n/,
      'hash bytea,',
      'ALTER TABLE "finance"."events" ALTER COLUMN "hash" DROP NOT NULL',
    ],
    [
      'the storage of the head',
      /fillfactor = 50/,
      'fillfactor = 60',
      'ALTER TABLE "finance"."practice_head" SET (fillfactor=60)',
    ],
    [
      'a constraint of the log',
      /UNIQUE \(therapist_id, stream_id, aggregate, version\)/,
      'UNIQUE (therapist_id, stream_id, version)',
      'ALTER TABLE "finance"."events" DROP CONSTRAINT "events_stream_key"; ALTER TABLE "finance"."events" ADD CONSTRAINT "events_stream_key" UNIQUE (therapist_id, stream_id, version)',
    ],
    [
      'an index of the stored responses',
      /INDEX idempotency_old_idx ON (\S+) \(answered_at\)/,
      'INDEX idempotency_old_idx ON $1 (therapist_id, answered_at)',
      'DROP INDEX "finance"."idempotency_old_idx"; CREATE INDEX idempotency_old_idx ON finance.idempotency USING btree (therapist_id, answered_at)',
    ],
    [
      'a grant',
      /GRANT SELECT, INSERT ON (.*)events TO/,
      'GRANT SELECT ON $1events TO',
      'REVOKE ALL ON "finance"."events" FROM finance; GRANT SELECT ON "finance"."events" TO finance',
    ],
  ])('differ in %s', async (_, from, to, sql) => {
    expect((await driftAfter((statement) => statement.replace(from, to))).join('; ')).toBe(sql);
  });

  it('differ in a missing policy, and in row-level security that is switched off', async () => {
    const found = await driftAfter((statement) =>
      /(POLICY select_own ON|TABLE) "finance"."expenses" (FOR|ENABLE)/.test(statement) ? null : statement,
    );
    expect(found).toEqual([
      'DROP POLICY "select_own" ON "finance"."expenses"',
      'ALTER TABLE "finance"."expenses" DISABLE ROW LEVEL SECURITY',
    ]);
  });
});

describe('a comparison', () => {
  it('reports a live schema that differs from the migrations, and changes nothing', async () => {
    const today = await serviceDdl(parts, url());
    const { live } = await drift(
      [{ name: 'more', sql: `${today.join(';\n')};\nCREATE TABLE finance.more (a text)` }],
      today,
    );
    expect(live).toEqual(['CREATE TABLE "finance"."more" (\n  "a" text\n)']);
    expect(await drift([{ name: 'all', sql: today.join(';\n') }], today)).toEqual({
      migrations: [],
      live: [],
    });
  });
});
