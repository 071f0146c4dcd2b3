// A program on a machine without a browser: shows a code, waits until a member has typed it on another device, and reads the clients.
// It needs Node and the library `openid-client`, and a `client_id` of `oauth_clients` (`kind` public).
//   CLIENT_ID=… node examples/oauth-device.mjs
import * as client from 'openid-client';
import { baseUrl as base } from './api.mjs';

const { CLIENT_ID = '' } = process.env;
const isLocal = base.startsWith('http:');
const config = await client.discovery(new URL(`${base}/auth/v1`), CLIENT_ID, undefined, client.None(), {
  execute: isLocal ? [client.allowInsecureRequests] : [],
});

const device = await client.initiateDeviceAuthorization(config, { scope: 'clients:read' });
console.log(`Open ${device.verification_uri} and type ${device.user_code}`);
const { access_token: token } = await client.pollDeviceAuthorizationGrant(config, device);
const clients = await fetch(`${base}/rest/v1/clients?select=name&limit=10`, {
  headers: { authorization: `Bearer ${token}` },
});
console.log(await clients.json());
