// Session notes of the demo practice: one for most completed appointments.
import type { Faker } from '@faker-js/faker';
import { momentOf } from './day.js';
import type { SeedAppointment } from './year.js';

const words = {
  subjective: [
    'Reports two panic attacks since last time, both on the way to work.',
    'Got up at the same time on five days of seven.',
    'Sleep diary: five and a half hours on average, long waking at four.',
    'Said no to a second project and felt relieved.',
  ],
  objective: [
    'On time, oriented, good eye contact. Speech calm and coherent.',
    'Visibly tired; affect flat at first, brighter towards the end.',
    'Tearful for a few minutes, then composed. No signs of risk.',
  ],
  assessment: [
    'Avoidance decreases; exposure steps are well chosen.',
    'Mild to moderate low mood; activation begins to show.',
    'Insomnia, improving; time in bed is still longer than sleep.',
  ],
  plan: [
    'Next step of the exposure ladder; keep the thought record.',
    'Two pleasant activities planned for fixed times.',
    'Bed time half an hour later; the diary continues.',
    'Continue every other week; repeat the questionnaire.',
  ],
};

/** Written at the end of the session. There are no notes for groups and telephone calls. */
export const notesOf = (appointments: readonly SeedAppointment[], faker: Faker) =>
  appointments
    .filter(({ status, service }) => status === 'completed' && /therapy|consultation/.test(service.name))
    .filter(() => faker.datatype.boolean(0.9))
    .map(({ id, client_id, date, end_time }) => ({
      id: faker.string.uuid(),
      client_id,
      appointment_id: id,
      subjective: faker.helpers.arrayElement(words.subjective),
      objective: faker.helpers.arrayElement(words.objective),
      assessment: faker.helpers.arrayElement(words.assessment),
      plan: faker.helpers.arrayElement(words.plan),
      created_at: momentOf(date, end_time),
    }));
