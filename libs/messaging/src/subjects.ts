// The subjects of requests and replies. The permissions of NATS users list exactly these.

/** The subject on which the processes of a service listen as one queue group. */
export function requestSubject(service: string): string {
  return `practice.rpc.${service}`;
}

/** The prefix of all reply subjects of one requester. */
export function replyPrefix(user: string, instance: string): string {
  return `practice.reply.${user}.${instance}`;
}

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
