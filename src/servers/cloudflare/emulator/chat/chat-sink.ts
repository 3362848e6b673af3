import { type HttpRequest, type HttpResponse, mediaType, text } from '../../../../protocol/http/message.js'
import { isJsonObject } from '../../../../protocol/values.js'
import type { ChatAttachment, Context, Publish } from '../events.js'
import { type ChatFault, type ChatHook, type ChatService, chatHook, PAUSE } from './chat-services.js'

/** The most attachments and fields in an event. The event also has the number of all attachments. */
const MAX_SHOWN = 20
const MAX_FIELDS = 20

type Payload = { readonly [name: string]: unknown }

/** Parses a JSON body, or a form with JSON in `payload`. Ignores the content type. */
function payloadOf(request: HttpRequest): Payload | undefined {
  const body = text(request.body)
  const form = mediaType(request) === 'application/x-www-form-urlencoded' || body.startsWith('payload=')
  try {
    const value: unknown = JSON.parse(form ? (new URLSearchParams(body).get('payload') ?? '') : body)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const line = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function members<Name extends string>(from: Payload, names: readonly Name[]): { [N in Name]?: string } {
  const found = names.flatMap(name => {
    const value = line(from[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found) as { [N in Name]?: string }
}

function attachmentOf(given: Payload): ChatAttachment {
  const fields = Array.isArray(given.fields) ? given.fields.filter(isJsonObject) : []
  return {
    ...members(given, ['color', 'fallback', 'title', 'text']),
    fields: fields.slice(0, MAX_FIELDS).map(({ title, value, short }) => ({
      title: String(title ?? ''),
      value: String(value ?? ''),
      short: short === true,
    })),
  }
}

/** Returns the mistake of a post, or undefined. */
function mistake(payload: Payload | undefined, service: ChatService): ChatFault | undefined {
  if (payload === undefined) return 'unreadable'
  const { attachments, blocks, text: said } = payload
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isJsonObject))) {
    return 'unreadable'
  }
  const count = attachments?.length ?? 0
  if (count > service.maxAttachments) return 'too_many'
  const empty = line(said) === undefined && count === 0 && !(Array.isArray(blocks) && blocks.length > 0)
  return empty && !service.takesEmpty ? 'empty' : undefined
}

/** The path of a hook. Discord has `/slack` behind it. */
const HOOK = /^\/services\/T[^/]*\/B[^/]*\/([^/]+)(?:\/slack)?$/

/**
 * Creates a sink that answers chat posts as a chat service does. An event records each post, without the address of the hook.
 * @param ports.random the bytes of request ids
 */
export function createChatSink({
  now,
  random,
}: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}) {
  const requestId = () => Buffer.from(random(13)).toString('hex')
  let slowUntil: number | undefined

  function refuse({ service }: Pick<ChatHook, 'service'>, fault: ChatFault, publish: Publish): HttpResponse {
    const { response, error } = service.refused(fault)
    publish({ type: 'chat.refused', status: response.status, error })
    return response
  }

  /** True while a `slow` hook still demands a wait. */
  function waits(): boolean {
    const at = now()
    const ready = slowUntil !== undefined && at >= slowUntil
    if (ready) slowUntil = undefined
    else slowUntil ??= at + PAUSE
    return !ready
  }

  /** Answers a path below `/services`. Returns undefined for other paths. */
  return (request: HttpRequest, path: string, { publish }: Context): HttpResponse | undefined => {
    const [, name] = HOOK.exec(path) ?? []
    const hook = chatHook(name ?? '', requestId)
    if (name === undefined) {
      return path.startsWith('/services/') ? refuse(hook, 'no_team', publish) : undefined
    }
    if (request.method !== 'POST') return refuse(hook, 'unreadable', publish)
    if (hook.fault !== undefined && hook.fault !== 'slow') return refuse(hook, hook.fault, publish)
    const payload = payloadOf(request)
    const bad = mistake(payload, hook.service)
    if (bad) return refuse(hook, bad, publish)
    if (hook.fault === 'slow' && waits()) return refuse(hook, 'slow', publish)
    const attachments = (payload?.attachments ?? []) as readonly Payload[]
    publish({
      type: 'chat.posted',
      ...members(payload ?? {}, ['channel', 'username', 'text']),
      attachments: attachments.slice(0, MAX_SHOWN).map(attachmentOf),
      count: attachments.length,
    })
    return hook.service.taken
  }
}
