// Folds a service's log into new read tables beside the live ones, then compares or swaps them. Reads go on all the while;
// writes wait only for the end, when what was committed meanwhile is folded too.

import { schemaOf } from '@practice/core';
import { logTable, practicesOf } from '@practice/event-store';
import type { Resource } from '@practice/resource';
import { Client } from 'pg';
import { openDataSource } from '../schema/data-source.js';
import { readTableDdl } from '../schema/service-ddl.js';
import { tableOf } from '../storage/tables.js';
import { aloneBeside } from './alone.js';
import { differences } from './differences.js';
import type { Difference } from './differences.js';
import { foldPractice } from './fold-practice.js';

export interface RebuildInput {
  readonly service: string;
  /** Connection string of the schema's owner. */
  readonly url: string;
  readonly resources: readonly Resource[];
  /** Compare only, and change nothing. */
  readonly check: boolean;
}

export interface RebuildReport {
  readonly practices: number;
  readonly differences: readonly Difference[];
}

/** Rebuilds (or checks) the read tables of a service from its log; reports how the live ones differed. */
export async function rebuild({ service, url, resources, check }: RebuildInput): Promise<RebuildReport> {
  const client = new Client({
    connectionString: url,
    application_name: `${service} rebuild`,
    statement_timeout: 0,
  });
  await client.connect();
  try {
    return await aloneBeside(client, service, async (beside) => {
      const tables = resources.map((resource) => ({ ...resource, service: beside }));
      await createTables({ service, url, resources, schema: beside });
      const folding = { service, resources, tables, folded: new Map<string, number>() };
      await foldNew(client, folding);
      const found = await compare(client, folding);
      if (!check) await swap(client, { ...folding, beside });
      return { practices: folding.folded.size, differences: found };
    });
  } finally {
    await client.end();
  }
}

async function createTables(input: {
  service: string;
  url: string;
  resources: readonly Resource[];
  schema: string;
}): Promise<void> {
  const dataSource = await openDataSource(input);
  try {
    for (const statement of await readTableDdl(dataSource, input.resources))
      await dataSource.query(statement);
  } finally {
    await dataSource.destroy();
  }
}

interface Folding {
  readonly service: string;
  readonly tables: readonly Resource[];
  /** The position up to which each practice is folded. */
  readonly folded: Map<string, number>;
}

/** Folds every practice that has written since it was last folded. */
async function foldNew(client: Client, { service, tables, folded }: Folding): Promise<void> {
  for (const [therapistId, position] of await practicesOf(client, service)) {
    if (folded.get(therapistId) === position) continue;
    await foldPractice(client, { service, therapistId }, tables);
    folded.set(therapistId, position);
  }
}

type Comparison = Folding & { readonly resources: readonly Resource[] };

/** Log and live tables as of one moment: a snapshot of both, which nobody has to wait for. */
async function compare(client: Client, comparison: Comparison): Promise<Difference[]> {
  const { resources, tables } = comparison;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await foldNew(client, comparison);
  const found: Difference[] = [];
  for (const [index, resource] of resources.entries())
    found.push(...(await differences(client, resource, tables[index] as Resource)));
  await client.query('COMMIT');
  return found;
}

/** With every writer waiting at its head row, the little that came in the meantime is folded and the tables change places. */
async function swap(client: Client, swapping: Comparison & { readonly beside: string }): Promise<void> {
  const { service, resources, beside } = swapping;
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${logTable(service, 'practice_head')} IN EXCLUSIVE MODE`);
  await foldNew(client, swapping);
  for (const resource of resources) {
    await client.query(`DROP TABLE ${tableOf(resource)}`);
    await client.query(
      `ALTER TABLE ${tableOf({ ...resource, service: beside })} SET SCHEMA "${schemaOf(service)}"`,
    );
  }
  await client.query('COMMIT');
}
