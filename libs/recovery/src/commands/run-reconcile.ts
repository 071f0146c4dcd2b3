import { withOpenClient } from '@practice/log';
import { readOwnerUrl } from './command.config.js';
import { subjectsBySource, subscriptionOf } from '@practice/projections';
import type { SchemaParts } from '@practice/storage';
import { reconcile, redeliverToFollowers } from '../reconcile/reconcile.js';
import { say } from './output.js';
import { withBus } from './with-bus.js';

/**
 * Runs the reconcile command of a service: it compares the log with the stream, and the mirror with the positions of its
 * subscriptions. With `--restored`, every practice begins a new epoch. No process of the service may run.
 */
export async function runReconcile(
  { service, mirrored = {} }: SchemaParts,
  [flag]: readonly string[],
): Promise<void> {
  if (flag !== undefined && flag !== '--restored') throw new Error(`there is no option ${flag}`);
  const config = { connectionString: readOwnerUrl(), application_name: `${service} reconcile` };
  await withBus(service, 'reconcile', (connection) =>
    withOpenClient(config, async (client) => {
      const everywhere = flag === '--restored';
      const { practices, undone } = await reconcile({ service, client, connection, everywhere });
      if (practices > 0)
        say(
          `${service}: the log of ${practices} practices was restored; ${undone} newer events left the stream`,
        );
      const names = [...subjectsBySource(mirrored).keys()].map((source) => subscriptionOf(service, source));
      const behind = await redeliverToFollowers(client, service, { connection, names });
      if (behind.length > 0) say(`${service}: events are delivered again to ${behind.join(', ')}`);
    }),
  );
}
