// Everything that a service keeps in its schema, as the code of today wants it. Migrations are compared with this.

import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { logTables, ownPracticeOnly } from '@practice/event-store';
import type { Resource } from '@practice/resource';
import type { DataSource } from 'typeorm';
import type { Mirrored } from '../projections/mirror-table.js';
import { deletionMarksTable } from '../references/deletion-marks.js';
import { idempotencyTable } from '../write/idempotency.js';
import { openDataSource } from './data-source.js';
import { mirrorDdl } from './mirror-ddl.js';

/** The parts of a service that its tables follow from, apart from its definitions. */
export interface SchemaParts {
  readonly service: string;
  readonly mirrored?: Mirrored;
  /** DDL of tables that no other service has. */
  readonly tables?: readonly string[];
}

/** DDL for the whole schema of a service. @param url of a server to make the statements for; nothing is written to it */
export async function serviceDdl(parts: SchemaParts, url: string): Promise<string[]> {
  const { service, tables = [] } = parts;
  const resources = resourcesOf(service);
  const dataSource = await openDataSource({ service, url, resources });
  try {
    return [...systemDdl(parts), ...tables, ...(await readTableDdl(dataSource, resources))];
  } finally {
    await dataSource.destroy();
  }
}

/** DDL for the tables that services have alike: log, mirror, stored responses, deletion marks. */
const systemDdl = ({ service, mirrored = {} }: SchemaParts): string[] => [
  ...logTables(service),
  ...mirrorDdl(service, mirrored),
  ...(resourcesOf(service).length === 0
    ? []
    : [...idempotencyTable(service), ...deletionMarksTable(service)]),
];

/** DDL for the read tables, in the schema of the data source. */
export async function readTableDdl(
  dataSource: DataSource,
  resources: readonly Resource[],
): Promise<string[]> {
  const { Table } = await import('typeorm');
  const runner = dataSource.createQueryRunner();
  try {
    runner.enableSqlMemory();
    for (const metadata of dataSource.entityMetadatas)
      await runner.createTable(Table.create(metadata, dataSource.driver));
    const tables = runner.getMemorySql().upQueries.map(({ query }) => query.trim());
    const schema = String((dataSource.options as { schema?: string }).schema);
    return [...tables, ...resources.flatMap((resource) => protection(resource, schema))];
  } finally {
    await runner.release();
  }
}

/** Row-level security and grants of the request role. TypeORM cannot express them. */
function protection({ service, name }: Resource, schema: string): string[] {
  const role = schemaOf(service);
  return [
    ...ownPracticeOnly({ schema, role }, name),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}"."${name}" TO "${role}"`,
  ];
}
