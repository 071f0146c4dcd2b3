// Reseals the keys of clients with the newest key-encryption key, while the service runs.

import { withOpenClient } from '@practice/log';
import type { ServiceParts } from '../service-parts.js';
import { sealColumnsAgain, sealKeysAgain } from '@practice/privacy';
import { readKeyEncryption, readOwnerUrl, readPersonalKeys } from '@practice/recovery';

type Sealing = Pick<ServiceParts, 'service' | 'sealed'>;

/** Runs the seal-keys command of a service. It does not change clients' values: only the keys that open them are resealed. */
export async function runSealKeys({ service, sealed: columns = [] }: Sealing): Promise<void> {
  const config = { connectionString: readOwnerUrl(), application_name: `${service} seal-keys` };
  await withOpenClient(config, async (client) => {
    const sealed = await sealKeysAgain(client, service, readKeyEncryption());
    process.stdout.write(`${service}: ${sealed} keys of clients are sealed with the new key\n`);
    if (columns.length === 0) return;
    const again = await sealColumnsAgain(client, { service, columns }, readPersonalKeys());
    process.stdout.write(`${service}: ${again.sealed} secrets are sealed with the new key\n`);
    if (again.unopened > 0) throw new Error(`no key opens ${again.unopened} secrets: they stay as they are`);
  });
}
