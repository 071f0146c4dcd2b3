/** The number of bookings: CONTESTED_BOOKINGS asks for more than `npm test` needs. */
export const contestedBookings = (): number => Number(process.env['CONTESTED_BOOKINGS'] ?? 3000);
