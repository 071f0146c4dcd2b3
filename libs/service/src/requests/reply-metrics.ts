import { counter, histogram } from '@practice/metrics';

const duration = histogram('practice_service_request_duration_seconds');
const problems = counter('practice_service_problems_total');

export interface ObservedReply {
  /** The name of a resource, or `rpc/` and the name of a function. */
  readonly resource: string;
  /** The HTTP method, or the name of a call of the auth API. */
  readonly operation: string;
  readonly status: number;
  /** The code of the problem; undefined if the request succeeded. */
  readonly code: string | undefined;
}

/** Counts a request that the service has carried out or refused. `ms` is its duration. */
export function observeReply({ resource, operation, status, code }: ObservedReply, ms: number): void {
  duration.observe({ resource, operation, status: String(status) }, ms / 1000);
  if (code !== undefined) problems.inc({ code });
}
