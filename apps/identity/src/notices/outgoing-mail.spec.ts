import { expect, it, jest } from '@jest/globals';
import { memoryCounters } from '@practice/limits';
import { createLogger } from '@practice/process';
import { type Mail, OutgoingMail } from './outgoing-mail.js';

it('a mail that is dropped because too many are being sent is logged', () => {
  const logger = createLogger('spec', 'silent');
  const error = jest.spyOn(logger, 'error');
  const config = { mail: { from: 'no-reply@example.com', isLogged: true } };
  const mail = new OutgoingMail(config, logger, memoryCounters());
  const write = jest.fn(() => new Promise<Mail>(() => undefined));
  while (!mail.isFull) mail.sendLater(write);
  const accepted = write.mock.calls.length;
  expect([accepted, error.mock.calls]).toEqual([200, []]);
  mail.sendLater(write);
  expect(write).toHaveBeenCalledTimes(accepted);
  expect(error.mock.calls).toEqual([[{}, 'a mail was not sent, because too many are being sent']]);
});
