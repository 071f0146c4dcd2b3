// The subjects of requests and replies. NATS users are allowed exactly these, so they are said once, here.

/** Where a service's processes listen, as one queue group. */
export function requestSubject(service: string): string {
  return `practice.rpc.${service}`;
}

/** What all replies to one requester have in front. */
export function replyPrefix(user: string, instance: string): string {
  return `practice.reply.${user}.${instance}`;
}

/** The requester of a frame, from the frame's reply subject: replies to all of its frames may share messages. */
export function requesterOf(replySubject: string): string {
  return replySubject.slice(0, replySubject.lastIndexOf('.'));
}

/** Where replies go; any last token but a frame's number, which is where "no responders" comes. */
export function replySubject(requester: string): string {
  return `${requester}.r`;
}

/** The frame that a "no responders" status is about, from the subject it came on. */
export function frameOf(subject: string): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}
