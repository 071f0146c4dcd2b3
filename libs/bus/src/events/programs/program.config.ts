/** The URL of the NATS server, with the credentials of a user that may do everything. */
export const natsUrl = process.env['NATS_URL'] ?? '';
