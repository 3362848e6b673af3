import { isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, span } from '../../render/text/spans.js'
import { bar, cutEnd, shorten } from '../../render/text/text.js'
import { entryAt, type History } from './view/history.js'
import type {
  AnsweredRequest,
  IssuedCode,
  IssuedToken,
  KnownClient,
  KnownKey,
  KnownSite,
  KnownUser,
  LabView,
  RefreshFamily,
} from './view/lab-view.js'
import { siteOf, textOf } from './view/members.js'

/** The values that the dashboard draws with, beside its state. */
export interface DrawContext {
  /** The lab's time, milliseconds since the epoch. */
  readonly now: number
  readonly signs: Signs
}

/** An entry of a pane as it is shown, filtered and copied. */
interface EntryTexts {
  /** Which one it is. */
  readonly identity: (context: DrawContext) => Line
  readonly status: (context: DrawContext) => Line
  /** The values of its pane's fields, in their order. */
  readonly fields: () => ReadonlyArray<string | undefined>
  /** The text to copy: its name elsewhere. */
  readonly value: string
  /** Values that events about it hold; left out: none is about it. */
  readonly mentions?: readonly string[]
}

/** A pane of the dashboard: its entries by their numbers, whatever their kind. */
export interface Shown {
  readonly name: string
  readonly history: (view: LabView) => History<object>
  /** The fields that a filter can name. */
  readonly fieldNames: ReadonlySet<string>
  readonly at: (view: LabView, n: number) => (EntryTexts & { readonly entry: object }) | undefined
}

function shown<T extends object>(
  name: string,
  history: (view: LabView) => History<T>,
  fieldNames: readonly string[],
  textsOf: (entry: T) => EntryTexts,
): Shown {
  return {
    name,
    history,
    fieldNames: new Set(fieldNames),
    at(view, n) {
      const entry = entryAt(history(view), n)
      return entry && { ...textsOf(entry), entry }
    },
  }
}

/** A time of day in UTC, as in `14:03:11`. Takes milliseconds since the epoch. */
export function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toISOString().slice(11, 19)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A length of time that counts, as in `9:41`, `1:02:03` or `29 d`. Takes milliseconds. */
export function countText(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  if (whole >= 2 * 86_400) return `${Math.floor(whole / 86_400)} d`
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  const rest = two(whole % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Columns of a whole life. */
const LIFE = 7

/** The rest of a life: `9:41 left  ██████▊`, or that it is over. */
function leftLine(
  { issuedAt, expiresAt }: { readonly issuedAt?: number; readonly expiresAt?: number },
  { now, signs }: DrawContext,
): Line {
  if (expiresAt === undefined) return []
  if (now >= expiresAt) return [span(`expired ${timeText(expiresAt)}`, 'dim')]
  const fraction = issuedAt === undefined ? 0 : (expiresAt - now) / (expiresAt - issuedAt)
  return [
    span(`${countText(expiresAt - now)} left  `),
    span(bar(fraction, LIFE, { ascii: signs.ascii }), 'done'),
  ]
}

/** Names side by side, those that there are. */
function names(signs: Signs, ...all: ReadonlyArray<string | undefined>): Line {
  return [span(all.flatMap(each => (each === undefined ? [] : [foreign(each, signs)])).join('  '))]
}

const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`

/** How often something happened, how often it went wrong, and when last. */
function countLine(
  count: string,
  wrong: ReadonlyArray<readonly [count: number, how: string, tone: 'look' | 'refused']>,
  lastAt: number | undefined,
): Line {
  return [
    span(count),
    ...wrong.flatMap(([each, how, tone]) => (each > 0 ? [span(`, ${each} ${how}`, tone)] : [])),
    span(lastAt === undefined ? '' : `, last ${timeText(lastAt)}`, 'dim'),
  ]
}

const dim = (text: string): Line => [span(text, 'dim')]

function revokedLine(at: number, because: string | undefined, signs: Signs): Line {
  return [
    span(
      `${signs.look} revoked ${timeText(at)}${because === undefined ? '' : `: ${foreign(because, signs)}`}`,
      'look',
    ),
  ]
}

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
const requests = shown<AnsweredRequest>(
  'Requests',
  view => view.requests,
  ['site', 'method', 'path', 'client', 'user', 'coding', 'status', 'address', 'run', 'error'],
  request => {
    const { site, method, path, status, client, coding, event, decisions, run } = request
    const target = `${method} ${path}`
    return {
      identity: ({ signs }) => [span(foreign(target, signs))],
      status: () => [span(String(status), status >= 400 ? 'refused' : 'done')],
      fields() {
        const users = new Set(decisions.flatMap(each => userOf(each) ?? []))
        const user = users.size > 0 ? [...users].join(' ') : undefined
        const refused = refusalOf(request)
        const address = textOf(event, 'remoteAddress')
        const error = refused && reasonOf(refused)
        return [site, method, path, client, user, coding, String(status), address, run?.name, error]
      },
      value: target,
    }
  },
)

/** Authorization codes. */
const codes = shown<IssuedCode>(
  'Codes',
  view => view.codes,
  ['code', 'client', 'user', 'scope'],
  life => {
    const { code, client, user, scope, redeemedAt, replayedAt } = life
    return {
      identity: ({ signs }) => names(signs, code, client, user),
      status(context) {
        const { look, done } = context.signs
        if (replayedAt !== undefined)
          return [span(`${look} redeemed, replayed ${timeText(replayedAt)}`, 'look')]
        if (redeemedAt !== undefined) return [span(`${done} redeemed ${timeText(redeemedAt)}`, 'done')]
        const left = leftLine(life, context)
        return context.now < (life.expiresAt ?? 0) ? [span('issued '), ...left] : left
      },
      fields: () => [code, client, user, scope],
      value: code,
      mentions: [code],
    }
  },
)

/** Access tokens. */
const tokens = shown<IssuedToken>(
  'Tokens',
  view => view.tokens,
  ['id', 'token', 'user', 'client', 'kind', 'grant', 'scope'],
  life => {
    const { id, token, subject, for: client, kind, grant, scope, accepted } = life
    const { revokedAt, revokedBecause, expiresAt } = life
    return {
      identity: ({ signs }) => [
        span(`${foreign(subject ?? '-', signs)} ${signs.to} ${foreign(client ?? '-', signs)}`),
        span(`  ${foreign(kind, signs)}`, 'dim'),
      ],
      status(context) {
        if (revokedAt !== undefined) return revokedLine(revokedAt, revokedBecause, context.signs)
        const alive = context.now < (expiresAt ?? 0)
        return [...leftLine(life, context), ...(accepted > 0 && alive ? dim(`  used ${accepted}x`) : [])]
      },
      fields: () => [id, token, subject, client, kind, grant, scope],
      value: token ?? id,
      mentions: token === undefined ? [id] : [id, token],
    }
  },
)

/** Clients, registered or not. */
const clients = shown<KnownClient>(
  'Clients',
  view => view.clients,
  ['client', 'kind'],
  ({ id, registered, requests, refused, lastAt }) => ({
    identity({ signs }) {
      const kind = registered?.confidential ? 'confidential' : 'public'
      const more =
        registered === undefined
          ? []
          : [...dim(`  ${kind}`), ...dim(`  ${plural(registered.redirectUris, 'uri')}`)]
      if (registered?.itself === undefined) return [span(foreign(id, signs)), ...more]
      const self = span('  registered itself', 'dim')
      const { name } = registered
      if (name === undefined) return [span(foreign(id, signs)), self, ...more]
      // Its id is long and random. A long name would push out the mark, which says that nobody checked the name.
      const named = span(foreign(cutEnd(name, MAX_NAME, signs.ellipsis), signs))
      return [named, self, span(`  ${shorten(id, signs.ellipsis)}`, 'dim'), ...more]
    },
    status() {
      if (registered?.itself === 'deleted') return dim('deleted')
      if (registered?.enabled === false) return dim('disabled')
      if (requests === 0) return dim('not seen yet')
      return countLine(plural(requests, 'request'), [[refused, 'refused', 'look']], lastAt)
    },
    fields: () => [id, registered?.confidential ? 'confidential' : 'public'],
    value: id,
    mentions: [id],
  }),
)

/** Columns of the name that a client gave itself. */
const MAX_NAME = 16

/** Refresh tokens with all that came of them. */
const refresh = shown<RefreshFamily>(
  'Refresh',
  view => view.families,
  ['token', 'client', 'user', 'scope'],
  family => {
    const { tokens, client, user, scope, uses, usedAt, expiresAt, revokedAt, revokedBecause } = family
    const [current = ''] = tokens
    return {
      identity: ({ signs }) => names(signs, current, client, user),
      status({ now, signs }) {
        if (revokedAt !== undefined) return revokedLine(revokedAt, revokedBecause, signs)
        if (expiresAt !== undefined && now >= expiresAt) return dim(`expired ${timeText(expiresAt)}`)
        const used = usedAt === undefined ? 'not used yet' : `used ${uses}x, last ${timeText(usedAt)}`
        return [span(used), ...dim(expiresAt === undefined ? '' : `  ${countText(expiresAt - now)} left`)]
      },
      fields: () => [current, client, user, scope],
      value: current,
      mentions: tokens,
    }
  },
)

/** Resource owners. */
const users = shown<KnownUser>(
  'Users',
  view => view.users,
  ['user'],
  ({ name, logins, failures, lastAt }) => ({
    identity: ({ signs }) => names(signs, name),
    status: () =>
      logins + failures === 0
        ? dim('not seen yet')
        : countLine(plural(logins, 'login'), [[failures, 'failed', 'look']], lastAt),
    fields: () => [name],
    value: name,
    mentions: [name],
  }),
)

/** Keys that sign tokens. */
const keys = shown<KnownKey>(
  'Keys',
  view => view.keys,
  ['kid', 'alg', 'status', 'issuer'],
  ({ kid, alg, status, issuer, retiredAt, fetchedAt }) => ({
    identity: ({ signs }) => [
      span(foreign(shorten(kid, signs.ellipsis), signs)),
      span(alg === undefined ? '' : `  ${foreign(alg, signs)}`, 'dim'),
    ],
    status({ signs }) {
      const retired = retiredAt === undefined ? '' : `, retired ${timeText(retiredAt)}`
      const now =
        status === 'signs'
          ? [span(`${signs.done} signs`, 'done')]
          : dim(status === 'published' ? `published${retired}` : 'seen')
      return [...now, ...(fetchedAt === undefined ? [] : dim(`  fetched ${timeText(fetchedAt)}`))]
    },
    fields: () => [kid, alg, status, issuer],
    value: kid,
    mentions: [kid],
  }),
)

/** The sites of the lab. */
const sites = shown<KnownSite>(
  'Sites',
  view => view.sites,
  ['site', 'url'],
  ({ name, url, requests, refused, failed, lastAt }) => ({
    identity: ({ signs }) => [
      span(foreign(name, signs)),
      span(url === undefined ? '' : `  ${foreign(url, signs)}`, 'dim'),
    ],
    status: () =>
      requests === 0
        ? dim('no request yet')
        : countLine(
            plural(requests, 'request'),
            [
              [refused, 'refused', 'look'],
              [failed, 'failed', 'refused'],
            ],
            lastAt,
          ),
    fields: () => [name, url],
    value: url ?? name,
    mentions: [name],
  }),
)

/** Everything else that happened, of any site. */
const events = shown<LabEvent>(
  'Events',
  view => view.events,
  ['type', 'site', 'client', 'user', 'address', 'error'],
  event => {
    const client = textOf(event, 'client_id')
    const user = userOf(event)
    return {
      identity: ({ signs }) => [
        span(`${timeText(Date.parse(event.at))} `, 'dim'),
        span(foreign(event.type, signs), isRefusal(event) ? 'look' : 'plain'),
      ],
      status({ signs }) {
        const texts = [client, user, reasonOf(event)].filter(each => each !== undefined && each !== '')
        return dim(foreign(texts.join('  '), signs))
      },
      fields: () => [
        event.type,
        siteOf(event),
        client,
        user,
        textOf(event, 'remoteAddress'),
        reasonOf(event),
      ],
      value: JSON.stringify(event),
    }
  },
)

/** The panes of the dashboard, in the order of their numbers. */
export const SHOWN = { requests, codes, tokens, clients, refresh, users, keys, sites, events }

export type Pane = keyof typeof SHOWN
export type LowerPane = Exclude<Pane, 'requests'>

export const PANES = Object.keys(SHOWN) as readonly Pane[]

/** Panes that are drawn beside each other where there is room. */
export const GROUPS: ReadonlyArray<readonly LowerPane[]> = [
  ['codes', 'tokens', 'clients'],
  ['refresh', 'users', 'keys'],
  ['sites', 'events'],
]

/** The number and name of a pane: `2 Codes`. */
export function paneName(pane: Pane): string {
  return `${PANES.indexOf(pane) + 1} ${SHOWN[pane].name}`
}
