// The subjects of requests and replies. The permissions of NATS users list exactly these, so the server vouches for who
// asks and who replies: `practice.rpc.<service>.<caller>.<kind>` and `practice.reply.<caller>.<service>.<secret>.<frame>`.

/** The kind of all requests on behalf of a caller. A service's own requests have their operation as the kind. */
export const CALL = 'call';

/** An identity, also the absent one of an open route, makes a call of a request. */
export const kindOf = ({ op, identity }: { readonly op: string; readonly identity?: unknown }): string =>
  identity === undefined ? op : CALL;

/** Where the processes of a service listen as one queue group. */
export const requestSubjects = (service: string): string => `practice.rpc.${service}.*.*`;

/** Where a process of a service says that it has begun to answer. */
export const startedSubject = (service: string): string => `practice.started.${service}`;

/** The service that a message on `startedSubject` is about. */
export const startedService = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** Where a process hears that callers of requests are gone. */
export const goneSubject = ({ service, caller }: Pick<Way, 'service' | 'caller'>): string =>
  `practice.gone.${service}.${caller}`;

/** A request by its requester, which is a secret between the two processes, and its id there. */
export const nameOfRequest = (requester: string, id: number): string => `${requester} ${id}`;

export interface Way {
  readonly service: string;
  /** The process group that asks: the gateway, or a service. */
  readonly caller: string;
  readonly kind: string;
}

export const requestSubject = ({ service, caller, kind }: Way): string =>
  `practice.rpc.${service}.${caller}.${kind}`;

/** The way that a request took. */
export function wayOf(subject: string): Way {
  const [, , service = '', caller = '', kind = ''] = subject.split('.');
  return { service, caller, kind };
}

/** The prefix of the subjects on which one service replies to one caller; a requester adds a secret. */
export const replyPrefix = ({ caller, service }: Pick<Way, 'caller' | 'service'>): string =>
  `practice.reply.${caller}.${service}.`;

/** The requester of a frame, from the frame's reply subject. Replies to all frames of a requester may share messages. */
export function requesterOf(replySubject: string): string {
  return replySubject.slice(0, replySubject.lastIndexOf('.'));
}

/** The subject of replies. Its last token is not a frame number: those subjects receive the status of a whole frame. */
export function replySubject(requester: string): string {
  return `${requester}.r`;
}

/** The frame that a status is about, from the subject on which it arrived. */
export function frameOf(subject: string): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

/** The status of an empty message that refuses a frame because of its version. NATS itself uses 503 for "no responders". */
export const UNKNOWN_VERSION = 505;
