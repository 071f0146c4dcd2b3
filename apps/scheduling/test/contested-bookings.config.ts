/** The number of bookings. CONTESTED_BOOKINGS sets a larger number than `npm test` needs. */
export const contestedBookings = (): number => Number(process.env['CONTESTED_BOOKINGS'] ?? 3000);
