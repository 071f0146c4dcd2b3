import { expect, it } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../http/request.js';
import type { Responses } from '../http/responses.js';
import { ConsoleController } from './console.controller.js';

it('is not served if it is switched off', async () => {
  const sent: unknown[] = [];
  const responses = { send: (...call: unknown[]) => sent.push(call) } as unknown as Responses;
  const controller = new ConsoleController(responses, { anonKey: 'key', hasConsole: false });
  const request = { raw: { url: '/console/' }, params: { file: 'index.js' } } as unknown as HttpRequest;
  await expect(controller.page(request, {} as HttpReply)).rejects.toThrow(NotFoundException);
  await expect(controller.file(request, {} as HttpReply)).rejects.toThrow(NotFoundException);
  expect(sent).toEqual([]);
});
