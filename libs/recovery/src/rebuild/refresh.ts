import { resourcesOf } from '@practice/contracts';
import { practicesOf, withOpenClient } from '@practice/log';
import type { Resource } from '@practice/resource';
import { rebuild } from './rebuild.js';
import { rememberShape, staleTables } from './row-shape.js';

/**
 * Folds the read tables of a service again if their rows were folded with an older definition. Call it after migrations, while no
 * older version of the service is running.
 * @param url the connection string of the schema's owner
 * @returns how many practices were folded; null if the tables were up to date
 */
export function refreshReadTables(
  service: string,
  url: string,
  resources: readonly Resource[] = resourcesOf(service),
): Promise<number | null> {
  const config = { connectionString: url, application_name: `${service} refresh` };
  return withOpenClient(config, async (client) => {
    const stale = await staleTables(client, resources);
    if (stale.length === 0) return null;
    if ((await practicesOf(client, service)).size > 0)
      return (await rebuild({ service, url, resources, check: false })).practices;
    for (const resource of stale) await client.query(rememberShape(resource));
    return null;
  });
}
