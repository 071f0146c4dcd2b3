import { column, resource } from '@practice/resource';

const personal = { of: 'client_id' } as const;

export const conversationLog = resource({
  name: 'conversation_log',
  service: 'clients',
  aggregate: 'conversation',
  description: 'Messages to and from clients, and notes about them. Entries cannot be changed.',
  roles: { front_desk: 'write' },
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    role: column.text({ default: 'therapist', oneOf: ['client', 'therapist', 'assistant', 'system'] }),
    channel: column.text({ default: 'note', oneOf: ['chat', 'email', 'sms', 'phone', 'note'] }),
    content: column.text({ required: true, notBlank: true, personal }),
    metadata: column.json({
      default: {},
      maxBytes: 16_384,
      personal,
      description: 'An object of at most 16 KiB.',
    }),
  },
  events: { ConversationEntryLogged: 'created' },
  indexes: [['client_id', 'created_at']],
  search: { title: 'channel', in: ['content'] },
  appendOnly: true,
});
