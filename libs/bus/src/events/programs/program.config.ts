/** The server that a program connects to, with the credentials of a user without limits. */
export const natsUrl = process.env['NATS_URL'] ?? '';
