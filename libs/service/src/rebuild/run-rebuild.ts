import { resourcesOf } from '@practice/contracts';
import { readOwnerUrl } from '../process/service.config.js';
import { rebuild } from './rebuild.js';

/**
 * The rebuilding process of a service: `--check` compares and says which rows differ, without it the read tables are
 * replaced. Ends with status 1 when a check found a difference.
 */
export async function runRebuild(service: string): Promise<void> {
  const check = process.argv.includes('--check');
  const { practices, differences } = await rebuild({
    service,
    url: readOwnerUrl(),
    resources: resourcesOf(service),
    check,
  });
  for (const { resource, therapistId, id, kind, columns } of differences) {
    process.stdout.write(`${resource} ${id} of practice ${therapistId}: ${kind} ${columns.join(', ')}\n`);
  }
  const outcome = check
    ? `${differences.length} rows differ`
    : `${differences.length} rows differed; tables replaced`;
  process.stdout.write(`${service}: folded the log of ${practices} practices; ${outcome}\n`);
  if (check && differences.length > 0) process.exitCode = 1;
}
