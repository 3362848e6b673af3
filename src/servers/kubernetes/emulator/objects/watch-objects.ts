import { type LineStream, lineStream } from '../../../../protocol/http/line-stream.js'
import { bytes, type HttpResponse, headerValues } from '../../../../protocol/http/message.js'
import { defined } from '../../../../protocol/values.js'
import { goJson, uncached } from '../answer.js'
import { type ApiError, invalidOptions, notAllowed, refusal } from '../api-error.js'
import { isTrue } from '../api-request.js'
import type { Call } from '../call.js'
import { apiVersionOf } from '../resources.js'
import type { Change, StoredObject } from '../store/store.js'
import { formOf, insideOf } from './read-objects.js'
import { matcherOf } from './selectors.js'
import { stored } from './stored.js'

// Watches: the changes of a collection, one JSON object a line, for as long as the client listens.

/** Most watches at once, of one user and of all. */
const MAX_WATCHES = 200
const MAX_WATCHES_OF_USER = 100

/** Longest watch, in seconds, and the default. */
const LONGEST = 3600
const DEFAULT = 1800

/** Time between two bookmarks, in milliseconds. */
const BOOKMARK_INTERVAL = 30_000

const tooMany = (): ApiError =>
  refusal(
    429,
    'TooManyRequests',
    'too many watches: close some, and try again later',
    { retryAfterSeconds: 1 },
    [['retry-after', '1']],
  )

/**
 * True for a watch by WebSocket, which the real server has beside HTTP. fabric8 asks for one first, waits for the end of any other answer, and then
 * watches by HTTP. A server may ignore Upgrade (RFC 9110 §7.8); the answer here ends at once.
 */
const isWebSocket = ({ http }: Call['request']): boolean =>
  headerValues(http, 'upgrade').some(each => each.toLowerCase().includes('websocket'))

/** Watches a collection. */
export function watchObjects(call: Call): HttpResponse {
  const { resource, asked } = call
  const { store, watches } = call.cluster
  const user = call.user.username ?? ''
  if (watches.total() >= MAX_WATCHES || watches.of(user) >= MAX_WATCHES_OF_USER) throw tooMany()
  const start = startOf(call)
  const matches = matcherOf(call.request.query, resource.kind)
  const inside = insideOf(call)
  const form = formOf(call)
  const included = (object: StoredObject | undefined): boolean =>
    object !== undefined && (inside === undefined || object.metadata.namespace === inside) && matches(object)
  const line = (type: Change['type'] | 'BOOKMARK', object: object) => bytes(goJson({ type, object }, false))

  /** The event of a change: an object that begins to match is added, one that ends to match is deleted. */
  function eventOf({ type, resource: changed, object, before }: Change): Uint8Array | undefined {
    if (changed !== stored(resource)) return undefined
    const [was, is] = [included(before), type !== 'DELETED' && included(object)]
    if (!was && !is) return undefined
    return line(is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED', form.one(object))
  }

  function bookmark(annotations?: object): Uint8Array {
    const resourceVersion = String(store.version())
    const metadata = defined({ resourceVersion, creationTimestamp: null, annotations })
    return line('BOOKMARK', { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata })
  }

  function begin(stream: LineStream): () => void {
    const end = store.subscribe(change => {
      const event = eventOf(change)
      if (event !== undefined) stream.write(event)
    })
    const left = watches.enter(user)
    const { bookmarks, initialEvents } = start
    const seconds = isWebSocket(call.request) ? 0 : start.seconds
    if (start.changes === undefined) {
      for (const each of store.list(stored(resource), inside)) {
        if (matches(each)) stream.write(line('ADDED', form.one(each)))
      }
    } else {
      for (const event of start.changes().map(eventOf)) if (event !== undefined) stream.write(event)
    }
    if (initialEvents) stream.write(bookmark({ 'k8s.io/initial-events-end': 'true' }))
    const marks = bookmarks ? setInterval(() => stream.write(bookmark()), BOOKMARK_INTERVAL) : undefined
    const timer = setTimeout(() => stream.end(), seconds * 1000)
    marks?.unref()
    timer.unref()
    return () => {
      end()
      left()
      clearInterval(marks)
      clearTimeout(timer)
    }
  }

  const namespace = asked.namespace || undefined
  call.publish(defined({ type: 'cluster.watch_started', resource: resource.name, namespace, by: user }))
  return { status: 200, headers: uncached(), body: new Uint8Array(), stream: lineStream(begin) }
}

/** The place where a watch starts. */
interface Start {
  /** Returns the changes since the version that the client knows; absent: the watch begins with all objects. */
  readonly changes?: () => readonly Change[]
  readonly bookmarks: boolean
  /** True for a watch that reports all objects first, and then a bookmark (streaming lists). */
  readonly initialEvents: boolean
  readonly seconds: number
}

/** @throws ApiError 410 for a version whose changes are forgotten, 422 for options that do not fit */
function startOf({ cluster: { store }, request }: Call): Start {
  const { query } = request
  const version = query.get('resourceVersion') ?? ''
  const asked = Number(query.get('timeoutSeconds') ?? DEFAULT)
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST) : DEFAULT
  const initialEvents = isTrue(request, 'sendInitialEvents')
  if (initialEvents && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    const rule = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    throw invalidOptions('ListOptions', notAllowed('resourceVersionMatch', rule))
  }
  const bookmarks = initialEvents || isTrue(request, 'allowWatchBookmarks')
  const options = { bookmarks, initialEvents, seconds }
  if (initialEvents || version === '' || version === '0') return options
  if (!/^\d{1,15}$/.test(version)) {
    const message = `Invalid value: "${version.slice(0, 40)}"`
    throw invalidOptions('ListOptions', { reason: 'FieldValueInvalid', field: 'resourceVersion', message })
  }
  const known = Number(version)
  if (store.after(known) === undefined) {
    throw refusal(410, 'Expired', `too old resource version: ${version} (${store.version()})`)
  }
  // Changes between the answer and its first line are not lost.
  return { ...options, changes: () => store.after(known) ?? [] }
}
