import type { Stack } from './stack.js';

/** Credentials of a practice. */
export interface Login {
  readonly email: string;
  readonly password: string;
}

/** The text that `npm start` prints once everything runs: the URL, the API key, and a first session to paste. */
export function welcome({ baseUrl, apikey }: Pick<Stack, 'baseUrl' | 'apikey'>, login?: Login): string {
  return `
Ready.

  Console   ${baseUrl.replace('//127.0.0.1:', '//localhost:')}/console/
  API       ${baseUrl}
  API key   ${apikey}
${login ? `  Demo      ${login.email} / ${login.password}\n            therapist@, frontdesk@ and billing@example.com have the same password.\n` : ''}
A first session to paste into another terminal (bash or zsh): sign up, add a service, book an appointment.

  API=${baseUrl}; KEY=${apikey}
  value() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
  TOKEN=$(curl -s "$API/auth/v1/signup" -H "apikey: $KEY" -H 'Content-Type: application/json' \\
    -d '{"email":"me+'$(date +%s)-$$'@example.com","password":"a long pass phrase"}' | value access_token)
  SERVICE=$(curl -s "$API/rest/v1/service_menu?select=id" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -H 'Prefer: return=representation' \\
    -d '{"name":"First session","duration":60,"price":120}' | value id)
  curl -s "$API/rest/v1/appointments" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -H 'Prefer: return=representation' \\
    -d '{"date":"2030-01-07","start_time":"09:00","service_id":"'$SERVICE'","client_name":"Ada"}'

Ctrl-C stops everything and keeps the data.`;
}
