// Once a day, a signed hash over the logs of each service is published as an event, so that an outside subscriber can keep a copy.

import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { logSeals, PLATFORM, serviceNames } from '@practice/contracts';
import { logRoot, type LogRoot } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import { instant, newRecord } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { OtherServices } from '../notices/other-services.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { signedClaims, SigningKeys } from './signing-keys.js';

const DAY_MS = 86_400_000;
/** How long after midnight a seal is made: by then every write from before midnight has ended. */
const SETTLED_MS = 10 * 60_000;
const EVERY_MS = 5_000;

const OWN = logSeals.service;

@Injectable()
export class LogSeals extends RepeatedWork {
  /** The last midnight for which all services have a seal. */
  private sealed = '';

  constructor(
    private readonly records: RecordTransactions,
    private readonly services: OtherServices,
    private readonly keys: SigningKeys,
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'the logs were not sealed', logger);
  }

  /** Seals the logs of each service that has no seal of the last midnight. A service that is unavailable is asked again. */
  protected async work(): Promise<void> {
    const until = instant(Math.floor((Date.now() - SETTLED_MS) / DAY_MS) * DAY_MS);
    if (until === this.sealed) return;
    let isDone = true;
    for (const service of serviceNames)
      await this.seal(service, until).catch((err: unknown) => {
        this.logger.warn({ err, service }, 'the log was not sealed yet');
        isDone = false;
      });
    if (isDone) this.sealed = until;
  }

  private async seal(service: string, until: string): Promise<void> {
    const id = sealId(service, until);
    if (await this.isSealed(id)) return;
    const { practices, root } = await this.rootOf(service, until);
    const sealed = { service, until, practices, root };
    const seal = signedClaims(await this.keys.active(), 'log-seal+jwt', sealed);
    await this.records.run({ therapistId: PLATFORM, requestId: randomUUID() }, async (transaction) => {
      // Checked again under the lock: another process may have sealed the log meanwhile.
      if (await transaction.change(logSeals, id, {})) return;
      const defaults = { therapistId: PLATFORM, now: transaction.now, id: () => id };
      await transaction.create(logSeals, newRecord(logSeals, { ...sealed, seal }, defaults));
    });
  }

  private async isSealed(id: string): Promise<boolean> {
    const text = `SELECT 1 FROM identity.events WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = $3 LIMIT 1`;
    return (await this.crossTenant.run({ text, values: [PLATFORM, id, logSeals.aggregate] })).length > 0;
  }

  private rootOf(service: string, until: string): Promise<LogRoot> {
    return service === OWN
      ? logRoot(service, until, (statement) => this.crossTenant.run(statement))
      : this.services.logRoot(service, until);
  }
}

/** The id of a seal, derived from the service and the time, so each log has one seal per day. */
function sealId(service: string, until: string): string {
  const digest = createHash('sha256').update(`log seal ${service} ${until}`).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
