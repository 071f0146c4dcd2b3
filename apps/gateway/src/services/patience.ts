import type { OutgoingEnvelope } from '@practice/bus';
import type { CommandFields } from '@practice/query';

/** A service that takes longer for a request counts as unavailable. */
const SERVICE_TIMEOUT_MS = 3_000;
/** The additional time of each record of a write. */
const MS_PER_RECORD = 10;

/** How long a service may take for a request, in milliseconds: longer for a write of many records. */
export const patienceFor = ({
  records = 0,
}: OutgoingEnvelope<Pick<Partial<CommandFields>, 'records'>>): number =>
  SERVICE_TIMEOUT_MS + records * MS_PER_RECORD;
