// The DDL of everything in the schema of a service, as the current code needs it. Migrations are compared with this.

import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { instantFunctions } from '@practice/query';
import { keepsVersions, personalOf, versionsName, type Resource } from '@practice/resource';
import type { DataSource, QueryRunner } from 'typeorm';
import { accessLogPolicies } from '../tables/access-log-table.js';
import { openDataSource } from './data-source.js';
import { ledgerDdl } from './ledger-ddl.js';
import { rangeTypes } from './range-types.js';
import { searchFunctions, searchIndex } from './search-ddl.js';
import { sharedOf, type SharedParts } from './migrations.js';
import { eventPolicies, tablePolicies, versionsPolicies } from './role-policies.js';

/** The parts of a service that determine its tables, apart from its definitions. */
export interface SchemaParts extends SharedParts {
  /** DDL of tables that no other service has. */
  readonly tables?: readonly string[];
}

/** DDL for the whole schema of a service. @param url of a server to make the statements for; nothing is written to it */
export async function serviceDdl(parts: SchemaParts, url: string): Promise<string[]> {
  const { service, tables = [] } = parts;
  const resources = resourcesOf(service);
  const dataSource = await openDataSource({ service, url, resources });
  try {
    const read = await readTableDdl(dataSource, resources);
    return [...systemDdl(parts), ...tables, ...read.tables, ...statementsOf(read.constraints)];
  } finally {
    await dataSource.destroy();
  }
}

/** DDL for the parts that services share: their tables, types and functions, and the policies that follow from definitions. */
const systemDdl = (parts: SchemaParts): string[] => {
  const { service } = parts;
  const resources = resourcesOf(service);
  return [
    ...sharedOf(parts).map(({ sql }) => sql),
    ...rangeTypes(service),
    ...instantFunctions(service, resources),
    ...searchFunctions(service, resources),
    ...eventPolicies(service, resources),
    ...accessLogPolicies(service),
  ];
};

/** DDL to run once a table has its rows. */
export interface TableConstraints {
  /** Each exclusion locks the whole table while it is made. */
  readonly exclusions: readonly string[];
  readonly indexes: readonly string[];
}

/** All statements, in the order in which one connection runs them. */
export const statementsOf = (constraints: readonly TableConstraints[]): string[] =>
  constraints.flatMap(({ exclusions, indexes }) => [...exclusions, ...indexes]);

/** DDL for the read tables, in the schema of the data source. A rebuild fills the tables before it adds the constraints. */
export async function readTableDdl(dataSource: DataSource, resources: readonly Resource[]) {
  const { Table } = await import('typeorm');
  const { schema } = dataSource.options as { schema: string };
  const runner = dataSource.createQueryRunner();
  const written = (): string[] => statementsIn(runner);
  try {
    runner.enableSqlMemory();
    const drafts = dataSource.entityMetadatas.map((metadata) => Table.create(metadata, dataSource.driver));
    const later = drafts.map((table) => ({ table, exclusions: table.exclusions, indices: table.indices }));
    for (const table of drafts) {
      Object.assign(table, { exclusions: [], indices: [] });
      await runner.createTable(table);
    }
    const tables = written();
    const constraints: TableConstraints[] = [];
    for (const { table, exclusions, indices } of later) {
      for (const exclusion of exclusions) await runner.createExclusionConstraint(table, exclusion);
      const made = written();
      await runner.createIndices(table, indices);
      const search = searchIndexOf(table.name, resources, schema);
      constraints.push({ exclusions: made, indexes: [...written(), ...search] });
    }
    return {
      tables: [
        ...tables,
        ...resources.flatMap((resource) => protection(resource, schema)),
        ...ledgerDdl(resources, schema),
      ],
      constraints,
    };
  } finally {
    await runner.release();
  }
}

/** The statements since the last call. */
function statementsIn(runner: QueryRunner): string[] {
  const statements = runner.getMemorySql().upQueries.map(({ query }) => query.trim());
  runner.clearSqlMemory();
  return statements;
}

/** @param table with or without its schema */
function searchIndexOf(table: string, resources: readonly Resource[], schema: string): string[] {
  const found = resources.find(({ name }) => name === table.split('.').at(-1));
  return found === undefined ? [] : searchIndex(found, schema);
}

/** Row-level security and grants of the request role, which adds versions and erases values in them. TypeORM cannot express them. */
function protection(resource: Resource, schema: string): string[] {
  const { service, name } = resource;
  const role = schemaOf(service);
  return [
    ...tablePolicies(resource, schema),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}"."${name}" TO "${role}"`,
    ...(keepsVersions(resource)
      ? [
          ...versionsPolicies(resource, schema),
          `GRANT SELECT, INSERT ON "${schema}"."${versionsName(name)}" TO "${role}"`,
          ...erasing(resource, schema),
        ]
      : []),
  ];
}

/** An erasure blanks the personal columns of replaced versions, and nothing else in them. */
function erasing(resource: Resource, schema: string): string[] {
  const personal = personalOf(resource);
  if (personal === null) return [];
  const columns = personal.names.map((name) => `"${name}"`).join(', ');
  return [
    `GRANT UPDATE (${columns}) ON "${schema}"."${versionsName(resource.name)}" TO "${schemaOf(resource.service)}"`,
  ];
}
