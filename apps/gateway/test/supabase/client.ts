import { stack, type Practice } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

/** supabase-js with the session of a practice. */
export function clientOf({ token }: Practice): SupabaseClient {
  const { baseUrl, apikey } = stack();
  return createClient(baseUrl, apikey, {
    accessToken: () => Promise.resolve(token),
    realtime: { transport: WebSocket as never },
  });
}
