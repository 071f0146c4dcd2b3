export * from './connection.js';
export { FrameContext } from './frame-context.js';
export { FrameErrors } from './frame-errors.js';
export * from './frame-server.js';
export * from './reply.js';
export * from './request.js';
export { createRequester } from './requester.js';
export type { Requester, RequesterOptions } from './requester.js';
