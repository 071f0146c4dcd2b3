// While no process of a service listens, for example because its only process restarts, its requests wait instead of failing. NATS
// has reported that no process received them, so it is safe to send them again, even for writes.

import type { Asked, InFlight } from './in-flight.js';

/** How long the requests of a service without a process are held. After that time, requests fail at once. */
const HOLD_MS = 8_000;
/** If no request was sent to an absent service for this time, the next request begins a new absence. */
const FORGET_MS = 15_000;

export type Hold = ReturnType<typeof createHold>;

interface Absence {
  readonly since: number;
  readonly last: number;
  readonly kept: Set<Asked>;
}

/** The status of the empty message with which NATS reports that no process listens. */
export const NO_RESPONDERS = 503;

/** Creates a hold for requests to services without a process. */
export function createHold(
  inFlight: Pick<InFlight, 'unsent' | 'get' | 'failUnread'>,
  send: (asked: Asked) => void,
) {
  const absences = new Map<string, Absence>();
  const sendAgain = ({ kept }: Absence, asked: Asked): void => {
    kept.delete(asked);
    if (inFlight.get(asked.id) !== asked) return;
    if (asked.patience !== undefined) moveDeadline(asked, Date.now() + asked.patience);
    send(asked);
  };
  return {
    /** Holds the requests of a frame that no process has received, or fails them if the service has been absent too long. */
    keep: (frame: number, service: string): void => {
      const now = Date.now();
      const known = absences.get(service) ?? { since: now, last: now, kept: new Set<Asked>() };
      const since = now - known.last < FORGET_MS ? known.since : now;
      const { kept } = known;
      absences.set(service, { since, last: now, kept });
      for (const asked of inFlight.unsent(frame, service))
        if (now - since >= HOLD_MS) inFlight.failUnread(asked, 'is not running');
        else if (kept.add(asked) && asked.patience !== undefined) asked.deadline = since + HOLD_MS;
    },
    /** Sends all requests that are held for a service. Call it when the service has replied. */
    release: (service: string): void => {
      const absence = absences.get(service);
      if (absence !== undefined && absences.delete(service))
        for (const asked of absence.kept) sendAgain(absence, asked);
    },
    /** Fails the requests that are past their deadline, and sends one request to each absent service to find out whether it listens. */
    probe: (): void => {
      for (const absence of absences.values()) {
        failLate(absence, inFlight.failUnread);
        const [first] = absence.kept;
        if (first !== undefined) sendAgain(absence, first);
      }
    },
  };
}

function failLate({ kept }: Absence, fail: InFlight['failUnread']): void {
  for (const asked of kept)
    if (asked.deadline < Date.now() && kept.delete(asked)) fail(asked, 'is not running');
}

/** Changes a request's deadline, also in its envelope: the service drops a request after its deadline. */
function moveDeadline(asked: Asked, deadline: number): void {
  asked.envelope = asked.envelope.replace(/"deadline":\d{13}/, `"deadline":${deadline}`);
  asked.deadline = deadline;
}
