import { splitUrl } from '../../protocol/http/message.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'
import type { ServerDocuments } from './conversation.js'
import { answeredJson, type Message, placeOf, textMember } from './message.js'

/** Members of metadata by which a request is known to be sent to this server. */
const MEMBERS = [
  'authorization_endpoint',
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'userinfo_endpoint',
  'end_session_endpoint',
]

/** The metadata and keys that servers published in a recording. */
export interface Documents {
  readonly add: (message: Message) => void
  /** Returns the documents of the server that messages were sent to, and the messages that brought them. */
  readonly of: (messages: readonly Message[]) => { documents: ServerDocuments; messages: readonly Message[] }
}

interface Published {
  readonly metadata: JsonObject
  readonly places: readonly string[]
  readonly message: Message
}

/** Creates an empty collection of documents. */
export function documentsOf(): Documents {
  const published: Published[] = []
  const keys = new Map<string, Message>()

  function add(message: Message): void {
    const json = answeredJson(message)
    if (message.kind === 'keys') keys.set(placeOf(message.recorded.exchange.request.url), message)
    else if (textMember(json, 'issuer') !== undefined && json !== undefined) {
      const places = MEMBERS.flatMap(name => textMember(json, name) ?? []).map(placeOf)
      published.push({ metadata: json, places, message })
    }
  }

  function of(messages: readonly Message[]) {
    const sentTo = new Set(messages.map(({ recorded }) => placeOf(recorded.exchange.request.url)))
    const found = published.find(({ places }) => places.some(place => sentTo.has(place)))
    if (found === undefined) return keysAlone(sentTo)
    const { metadata } = found
    const set = keys.get(placeOf(textMember(metadata, 'jwks_uri') ?? ''))
    const list = set && answeredJson(set)?.keys
    const documents = Array.isArray(list) ? { metadata, keys: list.filter(isJsonObject) } : { metadata }
    return { documents, messages: set ? [found.message, set] : [found.message] }
  }

  /** The only published keys at the origin of the server, where the recording has no metadata of it. */
  function keysAlone(sentTo: ReadonlySet<string>) {
    const origins = new Set([...sentTo].map(each => splitUrl(each).origin))
    const [only, other] = [...keys].filter(([place]) => origins.has(splitUrl(place).origin))
    const list = only && other === undefined ? answeredJson(only[1])?.keys : undefined
    return Array.isArray(list)
      ? { documents: { keys: list.filter(isJsonObject) }, messages: [only![1]] }
      : { documents: {}, messages: [] }
  }
  return { add, of }
}
