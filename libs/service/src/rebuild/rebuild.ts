// Folds a service's log into new read tables, then compares them with the live tables or replaces these. Reads go on all the
// time; writes wait only at the end, while the events that were committed in the meantime are folded.

import { schemaOf } from '@practice/core';
import { logTable, practicesOf } from '@practice/event-store';
import type { Resource } from '@practice/resource';
import { Client } from 'pg';
import { openDataSource } from '../schema/data-source.js';
import { readTableDdl } from '../schema/service-ddl.js';
import { tableOf } from '../storage/tables.js';
import { differences } from './differences.js';
import type { Difference } from './differences.js';
import { foldPractice } from './fold-practice.js';
import { withRebuildSchema } from './rebuild-schema.js';
import { rememberShape } from './row-shape.js';

export interface RebuildInput {
  readonly service: string;
  /** Connection string of the schema's owner. */
  readonly url: string;
  readonly resources: readonly Resource[];
  /** Only compares: the folded tables are temporary, and nothing is changed. */
  readonly check: boolean;
}

export interface RebuildReport {
  readonly practices: number;
  readonly differences: readonly Difference[];
}

/** Rebuilds (or checks) the read tables of a service from its log; reports how the live tables differed. */
export async function rebuild(input: RebuildInput): Promise<RebuildReport> {
  const { service, url, check } = input;
  const client = new Client({
    connectionString: url,
    application_name: `${service} rebuild`,
    statement_timeout: 0,
  });
  await client.connect();
  try {
    if (check) return await foldAndCompare(client, input, 'pg_temp');
    return await withRebuildSchema(client, service, async (schema) => {
      const { folding, ...report } = await foldAndCompare(client, input, schema);
      await swap(client, folding, schema);
      return report;
    });
  } finally {
    await client.end();
  }
}

interface Folding {
  readonly service: string;
  readonly resources: readonly Resource[];
  /** The new tables, in the order of the resources. */
  readonly tables: readonly Resource[];
  /** The position up to which each practice is folded. */
  readonly folded: Map<string, number>;
}

async function foldAndCompare(
  client: Client,
  { service, url, resources }: RebuildInput,
  schema: string,
): Promise<RebuildReport & { readonly folding: Folding }> {
  const tables = resources.map((resource) => ({ ...resource, service: schema }));
  const folding = { service, resources, tables, folded: new Map<string, number>() };
  for (const statement of await newTables({ service, url, resources, schema })) await client.query(statement);
  await foldNew(client, folding);
  const found = await compare(client, folding);
  return { practices: folding.folded.size, differences: found, folding };
}

async function newTables(input: {
  service: string;
  url: string;
  resources: readonly Resource[];
  schema: string;
}): Promise<string[]> {
  const dataSource = await openDataSource(input);
  try {
    const comments = input.resources.map((resource) => rememberShape(resource, input.schema));
    return [...(await readTableDdl(dataSource, input.resources)), ...comments];
  } finally {
    await dataSource.destroy();
  }
}

/** Folds every practice that has written since it was last folded. */
async function foldNew(client: Client, { service, tables, folded }: Folding): Promise<void> {
  for (const [therapistId, position] of await practicesOf(client, service)) {
    if (folded.get(therapistId) === position) continue;
    await foldPractice(client, { service, therapistId }, tables);
    folded.set(therapistId, position);
  }
}

/** Compares log and live tables in one snapshot, so that no writer waits. */
async function compare(client: Client, folding: Folding): Promise<Difference[]> {
  const { resources, tables } = folding;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await foldNew(client, folding);
  const found: Difference[] = [];
  for (const [index, resource] of resources.entries())
    found.push(...(await differences(client, resource, tables[index] as Resource)));
  await client.query('COMMIT');
  return found;
}

/** Replaces the live tables. Writers wait at their head row until the last events are folded. */
async function swap(client: Client, folding: Folding, schema: string): Promise<void> {
  const { service, resources } = folding;
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${logTable(service, 'practice_head')} IN EXCLUSIVE MODE`);
  await foldNew(client, folding);
  for (const resource of resources) {
    await client.query(`DROP TABLE ${tableOf(resource)}`);
    await client.query(
      `ALTER TABLE ${tableOf({ ...resource, service: schema })} SET SCHEMA "${schemaOf(service)}"`,
    );
  }
  await client.query('COMMIT');
}
