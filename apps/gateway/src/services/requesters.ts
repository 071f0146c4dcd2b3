/** The injection token of the requester that sends requests for records to the services. */
export const REQUESTER = Symbol('requester');
/** The requester for calls of the auth API: hashing passwords takes longer than a query. */
export const ACCOUNT_REQUESTER = Symbol('account requester');
