import { bytes, type HttpResponse, headerValues } from '../../../../protocol/http/message.js'
import { goJson } from '../answer.js'
import { type ApiError, invalid, refusal } from '../api-error.js'
import type { Call, CallHandler, Cluster } from '../call.js'
import { apiVersionOf } from '../kinds.js'
import type { Resource } from '../resources.js'
import type { Change } from '../store/history.js'
import type { StoredObject } from '../store/model.js'
import { type LineStream, lineStream } from './line-stream.js'
import { formOf, insideOf } from './read-objects.js'
import { matcherOf } from './selectors.js'
import { stored } from './stored.js'

// Watches: the changes of a collection, one JSON object a line, for as long as the client listens.

/** One line of a watch. */
interface WatchEvent {
  readonly type: 'ADDED' | 'BOOKMARK' | 'DELETED' | 'MODIFIED'
  readonly object: object
}

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

const tooOld = (version: string, current: number): ApiError =>
  refusal(410, 'Expired', `too old resource version: ${version} (${current})`)

/**
 * True for a watch by WebSocket, which the real server has beside HTTP. fabric8 asks for one first, waits for the end of any other answer, and then
 * watches by HTTP. A server may ignore Upgrade (RFC 9110 §7.8); the answer here ends at once.
 */
const isWebSocket = ({ http }: Call['request']): boolean =>
  headerValues(http, 'upgrade').some(each => each.toLowerCase().includes('websocket'))

const isTrue = (text: string | null): boolean => /^(1|t|true)$/i.test(text ?? '')

/** Returns the handler that watches a collection. */
export function watchObjects(resource: Resource): CallHandler {
  return (cluster, call) => {
    const { store, watches } = cluster
    const { query } = call.request
    const user = call.user.username ?? ''
    if (watches.total() >= MAX_WATCHES || watches.of(user) >= MAX_WATCHES_OF_USER) throw tooMany()
    const start = startOf(cluster, call)
    const matches = matcherOf(query, resource.kind)
    const inside = insideOf(resource, call)
    const form = formOf(cluster, call, resource)
    const included = (object: StoredObject | undefined): boolean =>
      object !== undefined &&
      (inside === undefined || object.metadata.namespace === inside) &&
      matches(object)
    const line = ({ type, object }: WatchEvent) => bytes(goJson({ type, object }, false))

    /** The event of a change: an object that begins to match is added, one that ends to match is deleted. */
    function eventOf({ type, resource: changed, object, before }: Change): Uint8Array | undefined {
      if (changed !== stored(resource)) return undefined
      const [was, is] = [included(before), type !== 'DELETED' && included(object)]
      if (!was && !is) return undefined
      return line({ type: is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED', object: form.one(object) })
    }

    function bookmark(annotations?: object): Uint8Array {
      const metadata = {
        resourceVersion: String(store.version()),
        creationTimestamp: null,
        ...(annotations && { annotations }),
      }
      const { kind } = resource
      return line({ type: 'BOOKMARK', object: { kind, apiVersion: apiVersionOf(resource), metadata } })
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
          if (matches(each)) stream.write(line({ type: 'ADDED', object: form.one(each) }))
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

    const { namespace } = call.resource
    call.publish({
      type: 'cluster.watch_started',
      resource: resource.name,
      ...(namespace !== '' && { namespace }),
      by: user,
    })
    const headers = [
      ['cache-control', 'no-cache, private'],
      ['content-type', 'application/json'],
    ] as const
    const answer: HttpResponse = { status: 200, headers, body: new Uint8Array(), stream: lineStream(begin) }
    return answer
  }
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
function startOf({ store }: Cluster, { request: { query } }: Call): Start {
  const version = query.get('resourceVersion') ?? ''
  const asked = Number(query.get('timeoutSeconds') ?? DEFAULT)
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST) : DEFAULT
  const bookmarks = isTrue(query.get('allowWatchBookmarks'))
  const initialEvents = isTrue(query.get('sendInitialEvents'))
  if (initialEvents && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    const message = 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', [
      { reason: 'FieldValueForbidden', field: 'resourceVersionMatch', message },
    ])
  }
  const options = { bookmarks: bookmarks || initialEvents, initialEvents, seconds }
  if (initialEvents || version === '' || version === '0') return options
  const known = /^\d{1,15}$/.test(version) ? Number(version) : Number.NaN
  if (Number.isNaN(known)) {
    throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', [
      {
        reason: 'FieldValueInvalid',
        field: 'resourceVersion',
        message: `Invalid value: "${version.slice(0, 40)}"`,
      },
    ])
  }
  if (store.after(known) === undefined) throw tooOld(version, store.version())
  // Changes between the answer and its first line are not lost.
  return { ...options, changes: () => store.after(known) ?? [] }
}
