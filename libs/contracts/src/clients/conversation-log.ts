import { column, resource } from '@practice/resource';
import type { RowOf } from '@practice/resource';

export const conversationLog = resource({
  name: 'conversation_log',
  service: 'clients',
  aggregate: 'conversation',
  description: 'What was said to and by a client, entry by entry. Entries are written once.',
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    role: column.text({ default: 'therapist', oneOf: ['client', 'therapist', 'assistant', 'system'] }),
    channel: column.text({ default: 'note', oneOf: ['chat', 'email', 'sms', 'phone', 'note'] }),
    content: column.text({ required: true, notBlank: true }),
    metadata: column.json({ default: {}, maxBytes: 16_384, description: 'An object, 16 KiB at most.' }),
  },
  events: { ConversationEntryLogged: 'created' },
  indexes: [['client_id', 'created_at']],
  appendOnly: true,
});

export type ConversationEntry = RowOf<typeof conversationLog>;
