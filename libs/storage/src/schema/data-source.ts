// TypeORM makes the tables, in the processes that migrate and rebuild. Serving processes do not load it, except identity for its
// private tables: it takes some megabytes, and the SQL of the dialect goes to Postgres without it.

import { schemaOf } from '@practice/core';
import type { Resource } from '@practice/resource';
import pg from 'pg';
import type { DataSource, MixedList } from 'typeorm';

export interface DataSourceInput {
  readonly service: string;
  readonly url: string;
  readonly resources: readonly Resource[];
  /** Given only by the migrating process. */
  readonly migrations?: MixedList<Function>;
  /** The schema of the read tables; the service's own, unless a rebuild makes new tables. */
  readonly schema?: string;
}

/** Connects TypeORM's data source for a service, its entities made from the definitions. */
export async function openDataSource(input: DataSourceInput): Promise<DataSource> {
  const { service, url, resources, migrations = [], schema = schemaOf(service) } = input;
  const { DataSource } = await import('typeorm');
  const { entitiesOf } = await import('./entities.js');
  return new DataSource({
    type: 'postgres',
    driver: pg,
    url,
    schema,
    entities: resources.flatMap((resource) => entitiesOf(resource, schema)),
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    applicationName: service,
    poolSize: 1,
    extra: { options: '-c lock_timeout=2500' },
  }).initialize();
}
