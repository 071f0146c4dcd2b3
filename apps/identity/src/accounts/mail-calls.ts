import { Injectable } from '@nestjs/common';
import { ResendMail } from './resend-mail.js';
import { RequestRecovery } from './request-recovery.js';
import type { Handlers } from '../calls/call.js';

/** Requests of mails, by callers who are not signed in. The responses do not reveal whether there is an account. */
@Injectable()
export class MailCalls {
  constructor(
    private readonly recovery: RequestRecovery,
    private readonly resending: ResendMail,
  ) {}

  readonly handlers: Handlers<'recover' | 'resend'> = {
    recover: async (call) => {
      await this.recovery.execute(call);
      return { body: {} };
    },
    resend: async (call) => {
      await this.resending.execute(call);
      return { body: {} };
    },
  };
}
