import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import type { Change } from './change.js'
import { entryAt, findLatest, push, replaceAt, size } from './history.js'
import type { KnownClient, LabView } from './lab-view.js'
import { textOf, textsOf } from './members.js'

/** Clients that registered themselves are listed up to this number, so that they cannot push the others out. */
const MAX_CLIENTS = 150

/** Changes the entry of the client of an event, which is added where there is none. */
function changed(
  view: LabView,
  event: LabEvent,
  change: (client: KnownClient) => KnownClient['registered'],
): LabView {
  const id = textOf(event, 'client_id')
  if (id === undefined) return view
  const n = findLatest(view.clients, each => each.id === id)
  if (n === undefined && size(view.clients) >= MAX_CLIENTS) return view
  const before: KnownClient = n === undefined ? { id, requests: 0, refused: 0 } : entryAt(view.clients, n)!
  const registered = change(before)
  if (registered === undefined) return view
  const after = { ...before, registered }
  const clients = n === undefined ? push(view.clients, after) : replaceAt(view.clients, n, after)
  return { ...view, clients }
}

const redirectUrisOf = (event: LabEvent) => textsOf(event, 'redirect_uris').length

/** The clients that registered, changed and deleted themselves. */
export const registrationChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  [
    'client.registered',
    (view, event) =>
      changed(view, event, () =>
        defined({
          confidential: textOf(event, 'token_endpoint_auth_method') !== 'none',
          enabled: true,
          redirectUris: redirectUrisOf(event),
          itself: 'registered' as const,
          name: textOf(event, 'client_name'),
        }),
      ),
  ],
  [
    'client.updated',
    (view, event) =>
      changed(
        view,
        event,
        ({ registered }) =>
          registered &&
          defined({
            ...registered,
            redirectUris: redirectUrisOf(event),
            name: textOf(event, 'client_name'),
          }),
      ),
  ],
  [
    'client.deleted',
    (view, event) =>
      changed(view, event, ({ registered }) => registered && { ...registered, itself: 'deleted' }),
  ],
]
