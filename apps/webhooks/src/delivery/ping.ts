import type { CloudEvent } from '@practice/bus';

/** The event of `rpc/test_webhook`. It is in no log. @param id of the event */
export const pingOf = (
  id: string,
  { therapistId, id: webhookId }: { readonly therapistId: string; readonly id: string },
): CloudEvent => ({
  specversion: '1.0',
  id,
  source: '/practice/webhooks',
  type: 'practice.webhooks.Ping.v1',
  subject: webhookId,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data: {},
  therapistid: therapistId,
  position: 0,
  streamversion: 0,
  correlationid: id,
});
