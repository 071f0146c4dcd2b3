import { randomUUID } from 'node:crypto';
import { auth, eventually, patient, practiceOf, type Practice } from '@practice/testing';
import { SMTPServer } from 'smtp-server';

/** A mail that has arrived. */
export interface Letter {
  readonly to: string;
  readonly text: string;
}

/** A mail server of one spec. */
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

export async function openMailbox() {
  const letters: Letter[] = [];
  let refusal: number | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(
        refusal === undefined ? null : Object.assign(new Error(`not ${address}`), { responseCode: refusal }),
      ),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        letters.push({ to, text: decoded(Buffer.concat(parts).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Everything that has arrived, in order. */
    letters,
    /** Waits for a mail to an address that contains this text, and returns the first one. */
    letterTo: async (address: string, saying: string) => {
      const found = (): Letter | undefined =>
        letters.find(({ to, text }) => to === address && text.includes(saying));
      return (await eventually(`there is mail to ${address}`, found)) as Letter;
    },
    /** Waits until exactly this number of mails to an address contain this text. */
    count: (address: string, saying: string, expected: number) =>
      eventually(
        `there are ${expected} mails to ${address}`,
        () => letters.filter(({ to, text }) => to === address && text.includes(saying)).length === expected,
      ),
    /** Refuses each recipient with this code from now on; undefined ends the refusals. */
    refuseWith: (responseCode: number | undefined) => (refusal = responseCode),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

/** The token in the link of the last mail to an address that contains this text. */
export async function tokenIn(mailbox: Mailbox, address: string, saying: string): Promise<string> {
  await mailbox.letterTo(address, saying);
  const letter = mailbox.letters.findLast(({ to, text }) => to === address && text.includes(saying));
  return /[?&]token=([\w-]{43})/.exec(letter?.text ?? '')?.[1] ?? '';
}

/** Signs up a new practice in a system that confirms addresses, and answers the mail. */
export async function confirmedPractice(origin: string, mailbox: Mailbox): Promise<Practice> {
  let credentials = { email: '', password: randomUUID() };
  // A late sign-up may be carried out, so the next attempt has another address.
  const asked = await patient(() => {
    credentials = { ...credentials, email: `practice-${randomUUID()}@example.com` };
    return auth('POST', 'signup', { body: credentials, origin });
  });
  const { email } = credentials;
  if (asked.status !== 200) throw new Error(`sign-up was answered ${asked.status}: ${asked.text}`);
  const token_hash = await tokenIn(mailbox, email, 'Confirm your address');
  const body = { type: 'signup', token_hash };
  return practiceOf(credentials, await auth('POST', 'verify', { body, origin }), origin);
}

/** The text without the line breaks of quoted-printable (RFC 2045, 6.7). */
const decoded = (text: string): string => text.replace(/=\r\n/g, '').replace(/=3D/g, '=');
