import { CALENDAR_PAGE_ROWS, type CalendarQuestion } from '@practice/contracts';
import { parseRequest, type ParsedRequest } from '@practice/query';

/** The columns of every calendar. No calendar has notes or contact data. */
const SELECTED = 'id,version,status,date,starts_at,ends_at,client_id,client_name,created_at,updated_at';
const NO_BODY = new Uint8Array();
/** Ids and dates. Any other text could add columns or conditions to the query. */
const PLAIN = /^[\w-]+$/;

/** @throws {Error} for a value that is neither an id nor a date */
function checkPlain({ practitionerId, first, last, after }: CalendarQuestion): void {
  const values: unknown[] = [first, last];
  if (practitionerId !== null) values.push(practitionerId);
  if (after !== undefined) values.push(after.date, after.id);
  if (!values.every((value) => typeof value === 'string' && PLAIN.test(value)))
    throw new Error('not an id or a date');
}

/** The read of a page of appointments, in the order of their days. */
export function readOf(question: CalendarQuestion): ParsedRequest {
  checkPlain(question);
  const { full, practitionerId, first, last, after } = question;
  const conditions = [
    // An appointment of the whole practice is in every calendar.
    ...(practitionerId === null ? [] : [`or(practitioner_id.eq.${practitionerId},practitioner_id.is.null)`]),
    ...(after === undefined
      ? []
      : [`or(date.gt.${after.date},and(date.eq.${after.date},id.gt.${after.id}))`]),
  ];
  const query = [
    `select=${SELECTED}${full ? ',service_menu(name)' : ''}`,
    `date=gte.${after?.date ?? first}`,
    `date=lte.${last}`,
    ...(conditions.length === 0 ? [] : [`and=(${conditions.join(',')})`]),
    `order=date,id&limit=${CALENDAR_PAGE_ROWS}`,
  ].join('&');
  return parseRequest({ method: 'GET', resource: 'appointments', query, headers: {}, body: NO_BODY });
}
