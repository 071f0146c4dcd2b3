import { expect, it } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import type { HttpRequest } from '../http/request.js';
import { ConsoleController } from './console.controller.js';

it('the console is not served if it is switched off', async () => {
  const controller = new ConsoleController({ anonKey: 'key', hasConsole: false });
  const request = { raw: { url: '/console/' }, params: { file: 'index.js' } } as unknown as HttpRequest;
  await expect(controller.page(request)).rejects.toThrow(NotFoundException);
  await expect(controller.file(request)).rejects.toThrow(NotFoundException);
});
