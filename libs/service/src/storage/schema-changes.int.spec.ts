import { afterAll, describe, expect, it } from '@jest/globals';
import { catalog, resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import type { Resource } from '@practice/resource';
import { stack } from '@practice/testing';
import type { DataSource } from 'typeorm';
import { openDataSource } from './data-source.js';
import { schemaChanges } from './schema-changes.js';

const open: DataSource[] = [];

afterAll(async () => {
  for (const dataSource of open) await dataSource.destroy();
});

async function changesOf(service: string, resources: readonly Resource[]): Promise<string[]> {
  const url = stack().databaseUrl(`${schemaOf(service)}_owner`);
  const dataSource = await openDataSource({ service, url, resources });
  open.push(dataSource);
  return schemaChanges(dataSource, resources);
}

const services = [...new Set([...catalog.resources.values()].map(({ service }) => service))];

describe('the migrated database', () => {
  it.each(services)('of %s is what the definitions say', async (service) => {
    expect(await changesOf(service, resourcesOf(service))).toEqual([]);
  });

  it('is told apart from definitions that ask for more', async () => {
    const [first, ...others] = resourcesOf('scheduling') as [Resource, ...Resource[]];
    const { notes } = first.columns;
    const wider = { ...first, columns: { ...first.columns, remarks: notes } } as unknown as Resource;
    const changes = await changesOf('scheduling', [wider, ...others]);
    expect(changes).toEqual([expect.stringMatching(/^ALTER TABLE .*"appointments" ADD "remarks" text$/)]);
  });
});
