import type { IncomingMessage } from 'node:http';

/** Whether a request asks for a WebSocket. Other upgrades, such as the one to HTTP/2, are ignored, as HTTP allows. */
export const isWebSocket = ({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
