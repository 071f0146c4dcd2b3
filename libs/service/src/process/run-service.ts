import { runRebuild, runReconcile, runRepublish, runVerify } from '@practice/recovery';
import type { ServiceParts } from '../service-parts.js';
import { migrate } from './migrate.js';
import { runSealKeys } from './run-seal-keys.js';
import { serve } from './serve.js';

/**
 * Runs the program of a service. Without an argument it serves. With `migrate`, `rebuild`, `reconcile`, `republish`, `seal-keys` or
 * `verify` it runs that command with the arguments that follow, and ends.
 * @param programUrl `import.meta.url` of the app's program
 * @throws {Error} for any other command
 */
export async function runService(parts: ServiceParts, programUrl: string): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  switch (command) {
    case undefined:
      return serve(parts);
    case 'migrate':
      return migrate(parts, programUrl, args);
    case 'rebuild':
      return runRebuild(parts, args);
    case 'republish':
      return runRepublish(parts.service, args);
    case 'seal-keys':
      return runSealKeys(parts);
    case 'reconcile':
      return runReconcile(parts, args);
    case 'verify':
      return runVerify(parts.service, args);
    default:
      throw new Error(
        `${parts.service} has no command ${command}; it has migrate, rebuild, reconcile, republish, seal-keys and verify`,
      );
  }
}
