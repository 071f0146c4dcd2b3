// The subjects of requests and replies: `practice.rpc.<service>.<caller>.<kind>` and
// `practice.reply.<caller>.<service>.<secret>.<frame>`. The permissions of NATS users guarantee the sender of each message.

/** The kind of all requests on behalf of a caller. For a service's own requests, the kind is the operation. */
export const CALL = 'call';

/** The kind of a request. A request with an identity, or with the null identity of an open route, is a call. */
export const kindOf = ({ op, identity }: { readonly op: string; readonly identity?: unknown }): string =>
  identity === undefined ? op : CALL;

/** The subjects of all requests to a service. Its processes listen to them as one queue group. */
export const requestSubjects = (service: string): string => `practice.rpc.${service}.*.*`;

/** The subject on which a process of a service announces that it has begun to serve requests. */
export const startedSubject = (service: string): string => `practice.started.${service}`;

/** The service that a `startedSubject` names. */
export const startedService = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** The subject on which processes of a service learn that callers of requests have disconnected. */
export const goneSubject = ({ service, caller }: Pick<Way, 'service' | 'caller'>): string =>
  `practice.gone.${service}.${caller}`;

/** The name of a request: its requester, which only the two processes know, and its id there. */
export const nameOfRequest = (requester: string, id: number): string => `${requester} ${id}`;

export interface Way {
  readonly service: string;
  /** The sender of the request: the gateway, or a service. */
  readonly caller: string;
  readonly kind: string;
}

export const requestSubject = ({ service, caller, kind }: Way): string =>
  `practice.rpc.${service}.${caller}.${kind}`;

/** The parts of the subject on which a request arrived. */
export function wayOf(subject: string): Way {
  const [, , service = '', caller = '', kind = ''] = subject.split('.');
  return { service, caller, kind };
}

/** The prefix of the subjects on which a service replies to a caller. A requester appends a secret. */
export const replyPrefix = ({ caller, service }: Pick<Way, 'caller' | 'service'>): string =>
  `practice.reply.${caller}.${service}.`;

/** The requester of a frame, from the frame's reply subject. Replies to all frames of a requester may share messages. */
export function requesterOf(replySubject: string): string {
  return replySubject.slice(0, replySubject.lastIndexOf('.'));
}

/** The subject of replies. Its last token is not a frame number, because the frame numbers are for the statuses of whole frames. */
export function replySubject(requester: string): string {
  return `${requester}.r`;
}

/** The number of the frame that a status refers to, from the subject on which the status arrived. */
export function frameOf(subject: string): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

/** The status of an empty message that refuses a frame because of its version. NATS itself uses 503 for "no responders". */
export const UNKNOWN_VERSION = 505;
