export { Authentication } from './authentication.js';
export type { AuthenticationParts } from './authentication.js';
export type { AuthenticationSettings } from './settings.js';
export { ACCESS_TOKEN, verifiedBy } from './through-passport.js';
export type { BearerRequest } from './request.js';
export { cookieOf, REFRESH_COOKIE, ACCESS_COOKIE, refuseForms } from './cookies.js';
export { KEY_REFUSED } from './key-problems.js';
export { anonymous, emptyToken, insufficientAal, sessionEnded } from './token-problems.js';
export type { Verified } from './verified-tokens.js';
