import type { LabEvent } from '../../../../protocol/events.js'
import { WEAK_NAMES } from '../../../../protocol/rules/weak-modes.js'
import { defined } from '../../../../protocol/values.js'
import type { Change } from './change.js'
import type { History } from './history.js'
import { changeOrPush } from './history.js'
import type { KnownClient, KnownKey, KnownSite, LabFacts, LabView } from './lab-view.js'
import { numberOf, objectsOf, textOf, textsOf } from './members.js'

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
  const sites = named.reduce(
    (known: History<KnownSite>, [name, url]) =>
      changeOrPush(
        known,
        each => each.name === name,
        (): KnownSite => ({ name, ...idle, failed: 0, wireBytes: 0 }),
        each => ({ ...each, url }),
      ),
    view.sites,
  )
  const facts: LabFacts = {
    ...view.facts,
    urls: named,
    ...defined({ pid: numberOf(event, 'pid'), ca: textOf(event, 'ca'), weak: weakOf(event) }),
  }
  return { ...view, facts, sites }
}

function registeredClients(view: LabView, event: LabEvent): History<KnownClient> {
  return objectsOf(event, 'clients').reduce((known: History<KnownClient>, client) => {
    const { client_id: id, confidential, enabled, redirect_uris: redirectUris } = client
    if (typeof id !== 'string') return known
    const registered = {
      confidential: confidential === true,
      enabled: enabled !== false,
      redirectUris: typeof redirectUris === 'number' ? redirectUris : 0,
    }
    return changeOrPush(
      known,
      each => each.id === id,
      () => ({ id, ...idle }),
      each => ({ ...each, registered }),
    )
  }, view.clients)
}

function configuredKeys(view: LabView, event: LabEvent): History<KnownKey> {
  return objectsOf(event, 'keys').reduce((known: History<KnownKey>, { kid, alg, signs }) => {
    if (typeof kid !== 'string') return known
    const status = signs === true ? 'signs' : 'published'
    return changeOrPush(
      known,
      each => each.kid === kid,
      (): KnownKey => ({ kid, status }),
      each => ({ ...each, status, ...(typeof alg === 'string' && { alg }) }),
    )
  }, view.keys)
}

function seconds(event: LabEvent, name: string): number | undefined {
  const value = numberOf(event, name)
  return value === undefined ? undefined : value * 1000
}

/** `lab.configured`: who may use the lab, and how long what it issues lives. */
function configured(view: LabView, event: LabEvent): LabView {
  const users = textsOf(event, 'users').reduce(
    (known, name) =>
      changeOrPush(
        known,
        each => each.name === name,
        () => ({ name, logins: 0, failures: 0 }),
        each => each,
      ),
    view.users,
  )
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
  return {
    ...view,
    facts,
    users,
    clients: registeredClients(view, event),
    keys: configuredKeys(view, event),
  }
}

/** The facts that a lab reports of itself. */
export const factChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  ['lab.ready', ready],
  ['resource.ready', ready],
  ['lab.configured', configured],
]
