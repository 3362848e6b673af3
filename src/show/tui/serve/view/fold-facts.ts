import type { LabEvent } from '../../../../protocol/events.js'
import { WEAK_NAMES } from '../../../../protocol/rules/weak-modes.js'
import { defined } from '../../../../protocol/values.js'
import { entries } from './history.js'
import type { KnownKey, LabFacts, LabView } from './lab-view.js'
import { type Change, type Kept, noted, numberOf, objectsOf, textOf, textsOf } from './members.js'

/** The weak modes that an event names; undefined for none. Names that this program does not know are left out. */
function weakOf(event: LabEvent): LabFacts['weak'] {
  const named = textsOf(event, 'weak')
  const known = WEAK_NAMES.filter(name => named.includes(name))
  return known.length === 0 ? undefined : known
}

const idle = { requests: 0, refused: 0 }

/** `lab.ready` and its like: where the sites are. */
function ready(view: LabView, event: LabEvent): LabView {
  const { urls } = event
  const named = Object.entries(typeof urls === 'object' && urls !== null ? urls : {}).filter(
    // The MCP server is a path of the resource server, whose requests have the name of that site.
    (each): each is [string, string] => each[0] !== 'mcp' && typeof each[1] === 'string',
  )
  const facts: LabFacts = {
    ...view.facts,
    urls: named,
    ...defined({ pid: numberOf(event, 'pid'), ca: textOf(event, 'ca'), weak: weakOf(event) }),
  }
  return named.reduce(
    (known: LabView, [name, url]) =>
      noted(known, 'sites', { name, ...idle, failed: 0, wireBytes: 0 }, each => ({ ...each, url })),
    { ...view, facts },
  )
}

function withClient(view: LabView, client: Record<string, unknown>): LabView {
  const { client_id: id, confidential, enabled, redirect_uris: redirectUris } = client
  if (typeof id !== 'string') return view
  const registered = {
    confidential: confidential === true,
    enabled: enabled !== false,
    redirectUris: typeof redirectUris === 'number' ? redirectUris : 0,
  }
  return noted(view, 'clients', { id, ...idle }, each => ({ ...each, registered }))
}

function withKey(view: LabView, { kid, alg, signs }: Record<string, unknown>): LabView {
  if (typeof kid !== 'string') return view
  const status = signs === true ? 'signs' : 'published'
  return keyNoted(view, kid, { status, ...(typeof alg === 'string' && { alg }) })
}

function seconds(event: LabEvent, name: string): number | undefined {
  const value = numberOf(event, name)
  return value === undefined ? undefined : value * 1000
}

/** `lab.configured`: who may use the lab, and how long what it issues lives. */
function configured(view: LabView, event: LabEvent): LabView {
  const facts: LabFacts = {
    ...view.facts,
    ...defined({
      stage: textOf(event, 'stage'),
      profile: textOf(event, 'profile'),
      labFile: textOf(event, 'config'),
      weak: weakOf(event),
      compression: typeof event.compression === 'boolean' ? event.compression : undefined,
      codeLifetime: seconds(event, 'code_lifetime'),
      refreshLifetime: seconds(event, 'refresh_token_lifetime'),
      configured: event,
    }),
  }
  const withUsers = textsOf(event, 'users').reduce(
    (known, name) => noted(known, 'users', { name, logins: 0, failures: 0 }, each => each),
    { ...view, facts },
  )
  const withClients = objectsOf(event, 'clients').reduce(withClient, withUsers)
  return objectsOf(event, 'keys').reduce(withKey, withClients)
}

const keyNoted = (view: LabView, kid: string, what: Partial<KnownKey>): LabView =>
  noted(view, 'keys', { kid, status: 'seen' }, each => ({ ...each, ...what }))

function keyRotated(view: LabView, event: LabEvent, at: number): LabView {
  const kid = textOf(event, 'kid')
  const retired = textOf(event, 'retired')
  const before =
    retired === undefined ? view : keyNoted(view, retired, { status: 'published', retiredAt: at })
  // Keys follow each other within one algorithm.
  const alg = textOf(event, 'alg') ?? entries(view.keys).find(each => each.kid === retired)?.alg
  return kid === undefined
    ? before
    : keyNoted(before, kid, { status: 'signs', since: at, ...defined({ alg }) })
}

/** A resource server fetched keys: which of them it has, and whose they are. */
function keysFetched(view: LabView, event: LabEvent, at: number): LabView {
  const issuer = textOf(event, 'issuer')
  return textsOf(event, 'kids').reduce(
    (before, kid) => keyNoted(before, kid, { fetchedAt: at, ...defined({ issuer }) }),
    view,
  )
}

/** Clients that registered themselves are listed up to this number, so that they cannot push the others out. */
const MAX_CLIENTS = 150

type Registered = Kept<'clients'>['registered']

/** A change of the client of an event, which is added where there is none. */
const registration =
  (change: (event: LabEvent, before: Registered) => Registered): Change =>
  (view, event) => {
    const id = textOf(event, 'client_id')
    if (id === undefined) return view
    const after = (client: Kept<'clients'>) => {
      const registered = change(event, client.registered)
      return registered && { ...client, registered }
    }
    return noted(view, 'clients', { id, ...idle }, after, MAX_CLIENTS)
  }

const namesOf = (event: LabEvent) => ({
  redirectUris: textsOf(event, 'redirect_uris').length,
  name: textOf(event, 'client_name'),
})

/** The facts that a lab reports of itself, its keys, and the clients that registered, changed and deleted themselves. */
export const factChanges: Readonly<Record<string, Change>> = {
  'lab.ready': ready,
  'resource.ready': ready,
  'lab.configured': configured,
  'key.made': keyRotated,
  'key.rotated': keyRotated,
  'keys.fetched': keysFetched,
  'client.registered': registration(event =>
    defined({
      confidential: textOf(event, 'token_endpoint_auth_method') !== 'none',
      enabled: true,
      itself: 'registered' as const,
      ...namesOf(event),
    }),
  ),
  'client.updated': registration((event, before) => before && defined({ ...before, ...namesOf(event) })),
  'client.deleted': registration((_, before) => before && { ...before, itself: 'deleted' }),
}
