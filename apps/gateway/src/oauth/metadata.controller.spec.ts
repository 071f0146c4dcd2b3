import { expect, it } from '@jest/globals';
import type { AuthCalls } from '../accounts/auth-calls.js';
import type { HttpRequest } from '../http/request.js';
import { OauthMetadataController } from './metadata.controller.js';

it.each([500, 503])('the metadata of the server is PM503 if identity replies %d', async (status) => {
  const calls = { call: async () => ({ status, json: {}, message: '' }) } as unknown as AuthCalls;
  const controller = new OauthMetadataController(calls, { baseUrl: 'https://api.example' });
  await expect(controller.server({} as HttpRequest)).rejects.toMatchObject({
    problem: { status: 503, code: 'PM503', headers: { 'Retry-After': '1' } },
  });
});
