// Outgoing mail. Callers do not wait for it, since the time would reveal whether a mail is sent at all.
// When a mail fails, only codes are logged: the mail server's messages contain the address.

import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Counters, Throttle } from '@practice/limits';
import { LOGGER, type Logger } from '@practice/process';
import type { Transporter } from 'nodemailer';
import { COUNTERS } from '../calls/call.js';
import { problems, refuse, tooBusy } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

type Write = () => Promise<Mail | undefined>;

/** The maximum number of mails that are being sent at the same time. */
const AT_ONCE = 200;
const TIMEOUT_MS = 10_000;
const FINISH_WITHIN_MS = 3000;
/** Pauses before the second and the third attempt. */
const RETRY_AFTER_MS = [500, 3000];

@Injectable()
export class OutgoingMail implements OnApplicationShutdown {
  private readonly config: IdentityConfig['mail'];
  private readonly transport: Promise<Transporter> | undefined;
  private readonly throttle: Throttle;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @Inject(IDENTITY_CONFIG) { mail }: Pick<IdentityConfig, 'mail'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(COUNTERS) counters: Counters,
  ) {
    this.config = mail;
    this.transport = mail.smtpUrl === undefined ? undefined : transportTo(mail.smtpUrl, mail.from);
    this.throttle = new Throttle(counters, { name: 'mails', points: 1, seconds: 60 });
  }

  /** Whether mail is sent (or logged) at all. */
  private get isPossible(): boolean {
    return this.transport !== undefined || this.config.isLogged;
  }

  /** Whether too many mails are being sent to accept another. */
  get isFull(): boolean {
    return this.underWay.size >= AT_ONCE;
  }

  /**
   * Admits a request for a mail, in the same way for addresses with and without an account.
   * @param key the key that is admitted once a minute
   * @throws {Rejection} when mail is not configured, too many mails are being sent, or the key was admitted within the last minute
   */
  async admit(key: string): Promise<void> {
    if (!this.isPossible) refuse(problems.noMail);
    if (this.isFull) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    const seconds = await this.throttle.take(key);
    if (seconds > 0) refuse(problems.mailTooSoon(seconds));
  }

  /** Sends a mail in the background. @param mail the mail, or what writes it there; undefined means that none is sent */
  sendLater(mail: Mail | Write): void {
    if (!this.isPossible) return;
    if (this.isFull) return this.logger.error({}, 'a mail was not sent, because too many are being sent');
    const sent: Promise<void> = this.send(mail)
      .catch((error: unknown) => this.logger.error(codesOf(error), 'a mail was not sent'))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  /** Waits up to 3 s for mails that are being sent. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), pause(FINISH_WITHIN_MS, undefined, { ref: false })]);
    (await this.transport)?.close();
  }

  private async send(given: Mail | Write): Promise<void> {
    const mail = typeof given === 'function' ? await given() : given;
    if (mail === undefined) return;
    if (this.transport !== undefined) return deliver(await this.transport, mail);
    // Only where no other machine can reach the API: see MAIL_TO_LOG.
    const { subject, text } = mail;
    // The terminal shows the message only: the link or code is what a developer looks for.
    const [linkOrCode = ''] = /https?:\/\/\S+|^\d{6}$/m.exec(text) ?? [];
    this.logger.warn(
      { mail: { subject, text } },
      `mail, as there is no SMTP_URL: ${subject} ${linkOrCode}`.trim(),
    );
  }
}

/** The mail library is large, so it is loaded only when there is a mail server. */
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

/** 5xx: a retry would get the same reply (RFC 5321, 4.2.1). */
const isFinal = (error: unknown): boolean => Number(codesOf(error).responseCode ?? 0) >= 500;

function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
