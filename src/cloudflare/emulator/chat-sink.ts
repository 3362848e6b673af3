import { type HttpRequest, type HttpResponse, mediaType, text, textResponse } from '../../http/message.js'
import { isJsonObject } from '../../oauth/json-object.js'
import type { ChatAttachment, Context, Publish } from './events.js'

/** A refusal of a chat service: a status and an error code. */
interface Word {
  readonly status: number
  readonly error: string
}

/** Hooks that refuse, by the last part of their path. */
const refusing: { readonly [name: string]: Word } = {
  archived: { status: 410, error: 'channel_is_archived' },
  missing: { status: 404, error: 'channel_not_found' },
  revoked: { status: 404, error: 'no_service' },
  prohibited: { status: 403, error: 'action_prohibited' },
  broken: { status: 500, error: 'rollup_error' },
}

const MAX_ATTACHMENTS = 100

/** The wait that a `slow` hook demands, in milliseconds. */
const PAUSE = 1000

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

function wrong(payload: Payload | undefined): Word | undefined {
  if (payload === undefined) return { status: 400, error: 'invalid_payload' }
  const { attachments, blocks, text: said } = payload
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isJsonObject))) {
    return { status: 400, error: 'invalid_payload' }
  }
  const count = attachments?.length ?? 0
  if (count > MAX_ATTACHMENTS) return { status: 400, error: 'too_many_attachments' }
  const empty = line(said) === undefined && count === 0 && !(Array.isArray(blocks) && blocks.length > 0)
  return empty ? { status: 400, error: 'no_text' } : undefined
}

/** Creates a sink that answers chat posts as a chat service does. An event records each post, without the address of the hook. */
export function createChatSink(now: () => number) {
  let slowUntil: number | undefined

  function refuse({ status, error }: Word, publish: Publish): HttpResponse {
    publish({ type: 'chat.refused', status, error })
    return textResponse(status, error)
  }

  /** True while a `slow` hook still demands a wait. */
  function waits(): boolean {
    const at = now()
    const ready = slowUntil !== undefined && at >= slowUntil
    if (ready) slowUntil = undefined
    else slowUntil ??= at + PAUSE
    return !ready
  }

  function tooEarly(publish: Publish): HttpResponse {
    const answer = refuse({ status: 429, error: 'rate_limited' }, publish)
    return { ...answer, headers: [...answer.headers, ['retry-after', String(PAUSE / 1000)]] }
  }

  /** Answers a path below `/services`. Returns undefined for other paths. */
  return (request: HttpRequest, path: string, { publish }: Context): HttpResponse | undefined => {
    const [, hook] = /^\/services\/T[^/]*\/B[^/]*\/([^/]+)$/.exec(path) ?? []
    if (hook === undefined) {
      return path.startsWith('/services/') ? refuse({ status: 404, error: 'no_team' }, publish) : undefined
    }
    if (request.method !== 'POST') return refuse({ status: 400, error: 'invalid_payload' }, publish)
    const unable = Object.hasOwn(refusing, hook) ? refusing[hook] : undefined
    if (unable) return refuse(unable, publish)
    const payload = payloadOf(request)
    const bad = wrong(payload)
    if (bad) return refuse(bad, publish)
    if (hook === 'slow' && waits()) return tooEarly(publish)
    const attachments = (payload?.attachments ?? []) as readonly Payload[]
    publish({
      type: 'chat.posted',
      ...members(payload ?? {}, ['channel', 'username', 'text']),
      attachments: attachments.slice(0, MAX_SHOWN).map(attachmentOf),
      count: attachments.length,
    })
    return textResponse(200, 'ok')
  }
}
