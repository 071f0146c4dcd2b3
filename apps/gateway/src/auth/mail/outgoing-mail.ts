// Mail on its way out. Callers do not wait for it: how long it takes would tell whether there was any.
// Of a mail that fails only codes are logged: what a mail server says of it repeats the address.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@practice/service';
import type { Transporter } from 'nodemailer';
import type { MailConfig } from '../../gateway.config.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Mails that are on their way at the same time, at most. */
const AT_ONCE = 200;
const TIMEOUT_MS = 10_000;
const FINISH_WITHIN_MS = 3000;
/** Waited for before a mail is tried again. */
const RETRY_AFTER_MS = [500, 3000];

export class OutgoingMail {
  private readonly transport: Promise<Transporter> | undefined;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly config: MailConfig,
    private readonly logger: Logger,
  ) {
    this.transport = config.smtpUrl === undefined ? undefined : transportTo(config.smtpUrl, config.from);
  }

  /** Whether a mail would reach anyone. */
  get isPossible(): boolean {
    return this.transport !== undefined || this.config.isLogged;
  }

  /** Whether there is no room for another mail at the moment. */
  get isFull(): boolean {
    return this.underWay.size >= AT_ONCE;
  }

  /** Sends what `write` makes, later; nothing if it makes nothing. */
  sendLater(write: () => Promise<Mail | undefined>): void {
    if (this.isFull || !this.isPossible) return;
    const sent: Promise<void> = this.send(write)
      .catch((error: unknown) => this.logger.error(codesOf(error), 'a mail was not sent'))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  /** Waits for what is under way, a while. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), pause(FINISH_WITHIN_MS, undefined, { ref: false })]);
    (await this.transport)?.close();
  }

  private async send(write: () => Promise<Mail | undefined>): Promise<void> {
    const mail = await write();
    if (mail === undefined) return;
    if (this.transport !== undefined) return deliver(await this.transport, mail);
    // Only where nobody but this machine can reach the API: see MAIL_TO_LOG.
    this.logger.warn({ mail: { subject: mail.subject, text: mail.text } }, 'mail, as there is no SMTP_URL');
  }
}

/** The mailing library is a large program, so it is only loaded where there is a server to send to. */
async function transportTo(url: string, from: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const patience = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
  return createTransport({ url, pool: true, maxConnections: 2, ...patience }, { from });
}

async function deliver(transport: Transporter, mail: Mail): Promise<void> {
  for (const delay of RETRY_AFTER_MS) {
    try {
      await transport.sendMail(mail);
      return;
    } catch (error) {
      if (isFinal(error)) throw error;
      await pause(delay);
    }
  }
  await transport.sendMail(mail);
}

/** 5xx: the server will say the same again (RFC 5321, 4.2.1). */
const isFinal = (error: unknown): boolean => Number(codesOf(error).responseCode ?? 0) >= 500;

function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
