import type { Line } from '../../render/text/spans.js'
import { foreign, span } from '../../render/text/spans.js'
import { cutEnd, shorten } from '../../render/text/text.js'
import { shown } from './pane-parts.js'
import type { KnownClient, KnownKey, KnownSite, KnownUser } from './view/lab-view.js'
import { timeText } from './words.js'

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const last = (at: number | undefined): string => (at === undefined ? '' : `, last ${timeText(at)}`)

/** Columns of the name that a client gave itself. */
const MAX_NAME = 16

/** Clients, registered or not. */
export const clients = shown<KnownClient>(
  {
    name: 'Clients',
    history: view => view.clients,
    identity: ({ id, registered }, { signs }) => {
      const kind = registered === undefined ? '' : registered.confidential ? 'confidential' : 'public'
      const uris = registered === undefined ? '' : plural(registered.redirectUris, 'uri')
      const more = kind === '' ? [] : [span(`  ${kind}`, 'dim'), span(`  ${uris}`, 'dim')]
      if (registered?.itself === undefined) return [span(foreign(id, signs)), ...more]
      const self = span('  registered itself', 'dim')
      const { name } = registered
      if (name === undefined) return [span(foreign(id, signs)), self, ...more]
      // Its id is long and random. A long name would push out the mark, which says that nobody checked the name.
      const named = span(foreign(cutEnd(name, MAX_NAME, signs.ellipsis), signs))
      return [named, self, span(`  ${shorten(id, signs.ellipsis)}`, 'dim'), ...more]
    },
    status({ registered, requests, refused, lastAt }): Line {
      if (registered?.itself === 'deleted') return [span('deleted', 'dim')]
      if (registered?.enabled === false) return [span('disabled', 'dim')]
      if (requests === 0) return [span('not seen yet', 'dim')]
      return [
        span(plural(requests, 'request')),
        ...(refused > 0 ? [span(`, ${refused} refused`, 'look')] : []),
        span(last(lastAt), 'dim'),
      ]
    },
    fields: ({ id, registered }) => ({
      client: id,
      kind: registered?.confidential ? 'confidential' : 'public',
    }),
    value: ({ id }) => id,
    mentions: ({ id }) => [id],
  },
  ['client', 'kind'],
)

/** Resource owners. */
export const users = shown<KnownUser>(
  {
    name: 'Users',
    history: view => view.users,
    identity: ({ name }, { signs }) => [span(foreign(name, signs))],
    status({ logins, failures, lastAt }): Line {
      if (logins + failures === 0) return [span('not seen yet', 'dim')]
      return [
        span(plural(logins, 'login')),
        ...(failures > 0 ? [span(`, ${failures} failed`, 'look')] : []),
        span(last(lastAt), 'dim'),
      ]
    },
    fields: ({ name }) => ({ user: name }),
    value: ({ name }) => name,
    mentions: ({ name }) => [name],
  },
  ['user'],
)

/** Keys that sign tokens. */
export const keys = shown<KnownKey>(
  {
    name: 'Keys',
    history: view => view.keys,
    identity: ({ kid, alg }, { signs }) => [
      span(foreign(shorten(kid, signs.ellipsis), signs)),
      span(alg === undefined ? '' : `  ${foreign(alg, signs)}`, 'dim'),
    ],
    status({ status, retiredAt, fetchedAt }, { signs }): Line {
      const fetched = fetchedAt === undefined ? [] : [span(`  fetched ${timeText(fetchedAt)}`, 'dim')]
      if (status === 'signs') return [span(`${signs.done} signs`, 'done'), ...fetched]
      const retired = retiredAt === undefined ? '' : `, retired ${timeText(retiredAt)}`
      return [span(status === 'published' ? `published${retired}` : 'seen', 'dim'), ...fetched]
    },
    fields: ({ kid, alg, status, issuer }) => ({ kid, alg, status, issuer }),
    value: ({ kid }) => kid,
    mentions: ({ kid }) => [kid],
  },
  ['kid', 'alg', 'status', 'issuer'],
)

/** The sites of the lab. */
export const sites = shown<KnownSite>(
  {
    name: 'Sites',
    history: view => view.sites,
    identity: ({ name, url }, { signs }) => [
      span(foreign(name, signs)),
      span(url === undefined ? '' : `  ${foreign(url, signs)}`, 'dim'),
    ],
    status({ requests, refused, failed, lastAt }): Line {
      if (requests === 0) return [span('no request yet', 'dim')]
      return [
        span(plural(requests, 'request')),
        ...(refused > 0 ? [span(`, ${refused} refused`, 'look')] : []),
        ...(failed > 0 ? [span(`, ${failed} failed`, 'refused')] : []),
        span(last(lastAt), 'dim'),
      ]
    },
    fields: ({ name, url }) => ({ site: name, url }),
    value: ({ url, name }) => url ?? name,
    mentions: ({ name }) => [name],
  },
  ['site', 'url'],
)
