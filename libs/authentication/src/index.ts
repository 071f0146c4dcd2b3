export { Authentication } from './authentication.js';
export { ACCESS_TOKEN, verifiedBy } from './jwt.strategy.js';
export type { BearerRequest } from './request.js';
export { cookieOf, REFRESH_COOKIE, ACCESS_COOKIE, refuseForms } from './api-key.js';
export { KEY_REFUSED } from './api-key.js';
export { anonymous, emptyToken, expired, insufficientAal, sessionEnded } from './token-problems.js';
export type { Verified } from './verified-tokens.js';
