import { isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, span } from '../../render/text/spans.js'
import { shown } from './pane-parts.js'
import { siteOf } from './view/event-site.js'
import type { AnsweredRequest } from './view/lab-view.js'
import { textOf } from './view/members.js'
import { timeText } from './words.js'

/** Why something was refused, in a line: `invalid_grant: the code was redeemed before`. */
export function reasonOf(event: LabEvent): string {
  const error = textOf(event, 'error')
  const description = textOf(event, 'description') ?? textOf(event, 'message') ?? textOf(event, 'reason')
  return [error, description, textOf(event, 'why')].filter(each => each !== undefined).join(': ')
}

/** The decision that said no, where one did: also in a request that was answered well, as a review is. */
export function refusalOf({ decisions }: AnsweredRequest): LabEvent | undefined {
  return decisions.findLast(event => isRefusal(event) && reasonOf(event) !== '')
}

/** The user that an event names. */
const userOf = (event: LabEvent): string | undefined => textOf(event, 'username') ?? textOf(event, 'sub')

/** Answered requests. The table draws them; what is here is for the filter and the single one. */
export const requests = shown<AnsweredRequest>(
  {
    name: 'Requests',
    history: view => view.requests,
    identity: ({ method, path }, { signs }): Line => [span(foreign(`${method} ${path}`, signs))],
    status: ({ status }) => [span(String(status), status >= 400 ? 'refused' : 'done')],
    fields(request) {
      const { site, method, path, status, client, coding, event, decisions, run } = request
      const users = new Set(decisions.flatMap(each => userOf(each) ?? []))
      const refused = refusalOf(request)
      return {
        site,
        method,
        path,
        client,
        ...(users.size > 0 && { user: [...users].join(' ') }),
        coding,
        status: String(status),
        address: textOf(event, 'remoteAddress'),
        run: run?.name,
        ...(refused && { error: reasonOf(refused) }),
      }
    },
    value: ({ method, path }) => `${method} ${path}`,
    mentions: () => [],
  },
  ['site', 'method', 'path', 'client', 'user', 'coding', 'status', 'address', 'run', 'error'],
)

/** Everything else that happened, of any site. */
export const events = shown<LabEvent>(
  {
    name: 'Events',
    history: view => view.events,
    identity: (event, { signs }): Line => [
      span(`${timeText(Date.parse(event.at))} `, 'dim'),
      span(foreign(event.type, signs), isRefusal(event) ? 'look' : 'plain'),
    ],
    status(event, { signs }): Line {
      const about = [textOf(event, 'client_id'), userOf(event)]
      const words = [...about.filter(each => each !== undefined), reasonOf(event)]
      return [span(foreign(words.filter(each => each !== '').join('  '), signs), 'dim')]
    },
    fields: event => ({
      type: event.type,
      site: siteOf(event),
      client: textOf(event, 'client_id'),
      user: userOf(event),
      address: textOf(event, 'remoteAddress'),
      error: reasonOf(event),
    }),
    value: event => JSON.stringify(event),
    mentions: () => [],
  },
  ['type', 'site', 'client', 'user', 'address', 'error'],
)
