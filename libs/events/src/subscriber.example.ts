import type { Appointment } from '@practice/contracts';
import { subscribe } from '@practice/events';
import { connect } from '@practice/messaging';

export async function sendReminders(natsUrl: string, remind: (of: Appointment) => Promise<void>) {
  const connection = await connect({ url: natsUrl, name: 'reminders', logger: console });
  const subscription = await subscribe<{ AppointmentScheduled: Appointment }>({
    connection,
    name: 'reminders',
    events: ['AppointmentScheduled'],
    handler: ({ data }) => remind(data),
  });
  return () => subscription.stop().then(() => connection.close());
}
