import { schemaOf } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { MixedList } from 'typeorm';
import { entityOf } from './entities.js';

export interface DataSourceInput {
  readonly service: string;
  readonly url: string;
  readonly resources: readonly Resource[];
  /** The classes of `src/migrations`; only the migrating process names them. */
  readonly migrations?: MixedList<Function>;
  /** Where the read tables stand; the service's schema unless a rebuild makes new ones beside it. */
  readonly schema?: string;
  readonly connections?: number;
  /** Several statements on the wire of one connection at a time. */
  readonly pipeline?: boolean;
}

/** TypeORM's data source for a service: entities from its definitions, connections in pipeline mode. */
export function dataSourceOf(input: DataSourceInput): DataSource {
  const {
    service,
    url,
    resources,
    migrations = [],
    schema = schemaOf(service),
    connections = 4,
    pipeline = false,
  } = input;
  return new DataSource({
    type: 'postgres',
    url,
    schema,
    entities: resources.map((resource) => entityOf(resource, schema)),
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    applicationName: service,
    poolSize: connections,
    // Every statement finds its rows through an index that begins with the practice, so one plan serves all values:
    // left to itself, Postgres would plan statements with arrays anew each time.
    // Who waits longer for a practice's lock has a caller who was told by then that we are away.
    extra: {
      pipeline,
      keepAlive: true,
      options: '-c plan_cache_mode=force_generic_plan -c lock_timeout=2500',
    },
  });
}

/** The pg pool beneath a data source: the dialect's SQL goes through it as it is. */
export const poolOf = (dataSource: DataSource): Pool =>
  (dataSource.driver as unknown as { master: Pool }).master;
