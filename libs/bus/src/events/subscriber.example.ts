import type { PracticeEvents } from '@practice/contracts';
import { connect, subscribe } from '@practice/bus';

type Booked = PracticeEvents['AppointmentScheduled'];
export async function sendReminders(natsUrl: string, remind: (of: Booked) => Promise<void>) {
  const connection = await connect({ url: natsUrl, name: 'reminders', logger: console });
  const subscription = await subscribe({
    connection,
    name: 'reminders',
    events: ['AppointmentScheduled'],
    handler: ({ data }) => remind(data),
  });
  return () => subscription.stop().then(() => connection.close());
}
