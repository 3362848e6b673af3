import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  mediaType,
  text,
} from '../../../protocol/http/message.js'
import { isJsonObject, parsedObject } from '../../../protocol/values.js'
import type { ChatAttachment, Context, Publish } from './events.js'

/** The most attachments and fields in an event. The event also has the number of all attachments. */
const MAX_SHOWN = 20
const MAX_FIELDS = 20

type Payload = { readonly [name: string]: unknown }

/** Parses a JSON body, or a form with JSON in `payload`. Ignores the content type. */
function payloadOf(request: HttpRequest): Payload | undefined {
  const body = text(request.body)
  const form = mediaType(request) === 'application/x-www-form-urlencoded' || body.startsWith('payload=')
  return parsedObject(form ? (new URLSearchParams(body).get('payload') ?? '') : body)
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

/** The reasons for which a hook refuses a post. */
type ChatFault =
  | 'archived'
  | 'broken'
  | 'empty'
  | 'missing'
  | 'no_team'
  | 'prohibited'
  | 'revoked'
  | 'slow'
  | 'too_many'
  | 'unreadable'

/** An answer of a chat service, and its error for an event. */
interface ChatRefusal {
  readonly response: HttpResponse
  readonly error: string
}

/** The answers of one chat service, literally. */
interface ChatService {
  /** The most attachments of a post. */
  readonly maxAttachments: number
  /** True when a post without text and attachments is accepted, and shows nothing. */
  readonly takesEmpty?: true
  readonly taken: HttpResponse
  refused(fault: ChatFault): ChatRefusal
}

/** Returns 26 characters for the `request_id` of Mattermost. */
type RequestId = () => string

/** The wait that a `slow` hook demands, in milliseconds. */
const PAUSE = 1000

function answer(status: number, type: string, body: string, headers: HeaderList = []): HttpResponse {
  return { status, headers: [['content-type', type], ...headers], body: bytes(body) }
}

const retryAfter = ['retry-after', String(PAUSE / 1000)] as const
const waitHeaders = (fault: ChatFault): HeaderList => (fault === 'slow' ? [retryAfter] : [])

/** A status with an error code or a message. */
type Words<Word = string> = Readonly<Record<ChatFault, readonly [status: number, word: Word]>>

const slackWords: Words = {
  archived: [410, 'channel_is_archived'],
  broken: [500, 'rollup_error'],
  empty: [400, 'no_text'],
  missing: [404, 'channel_not_found'],
  no_team: [404, 'no_team'],
  prohibited: [403, 'action_prohibited'],
  revoked: [404, 'no_service'],
  slow: [429, 'rate_limited'],
  too_many: [400, 'too_many_attachments'],
  unreadable: [400, 'invalid_payload'],
}

/** Slack answers with one word as `text/html`. */
const slack: ChatService = {
  maxAttachments: 100,
  taken: answer(200, 'text/html', 'ok'),
  refused(fault) {
    const [status, error] = slackWords[fault]
    return { error, response: answer(status, 'text/html', error, waitHeaders(fault)) }
  },
}

const mattermostWords: Words<readonly [id: string, message: string]> = {
  archived: [400, ['api.post.create_post.can_not_post_to_deleted.error', 'Can not post to deleted channel.']],
  broken: [500, ['app.post.save.app_error', 'Unable to save the Post.']],
  empty: [400, ['web.incoming_webhook.text.app_error', 'No text specified.']],
  missing: [404, ['web.incoming_webhook.channel.app_error', "Couldn't find the channel."]],
  no_team: [404, ['api.context.404.app_error', "Sorry, we couldn't find the page."]],
  prohibited: [403, ['web.incoming_webhook.permissions.app_error', 'Inappropriate channel permissions.']],
  revoked: [400, ['web.incoming_webhook.invalid.app_error', 'Invalid webhook.']],
  slow: [429, ['', 'limit exceeded']],
  too_many: [400, ['web.incoming_webhook.parse.app_error', 'Unable to parse incoming data.']],
  unreadable: [400, ['model.incoming_hook.parse_data.app_error', 'Unable to parse incoming data.']],
}

/** Mattermost answers `ok` as text, and errors as JSON. Its rate limit answers in plain text. */
const mattermost = (requestId: RequestId): ChatService => ({
  maxAttachments: Number.POSITIVE_INFINITY,
  taken: answer(200, 'text/plain', 'ok'),
  refused(fault) {
    const [status, [id, message]] = mattermostWords[fault]
    if (fault === 'slow') {
      const response = answer(status, 'text/plain; charset=utf-8', `${message}\n`, waitHeaders(fault))
      return { error: message, response }
    }
    const body = { id, message, detailed_error: '', request_id: requestId(), status_code: status }
    return { error: id, response: answer(status, 'application/json', JSON.stringify(body)) }
  },
})

const rocketWords: Words = {
  archived: [400, 'error-room-archived'],
  broken: [503, 'Service Unavailable'],
  empty: [400, 'unknown-error'],
  missing: [400, 'invalid-channel'],
  no_team: [404, 'Invalid integration id or token provided.'],
  prohibited: [400, 'overriding destination channel is disabled for this integration'],
  revoked: [404, 'Invalid integration id or token provided.'],
  slow: [
    429,
    `Error, too many requests. Please slow down. You must wait ${PAUSE / 1000} seconds before trying this endpoint again. [error-too-many-requests]`,
  ],
  too_many: [400, 'unknown-error'],
  unreadable: [400, 'Invalid JSON'],
}

/** Rocket.Chat answers in JSON with `success`, and accepts a post that shows nothing. A hook that is switched off answers in text. */
const rocketChat: ChatService = {
  maxAttachments: Number.POSITIVE_INFINITY,
  takesEmpty: true,
  taken: answer(200, 'application/json', JSON.stringify({ success: true })),
  refused(fault) {
    const [status, error] = rocketWords[fault]
    if (fault === 'broken') return { error, response: answer(status, 'text/plain', error) }
    const body = JSON.stringify({ success: false, error })
    return { error, response: answer(status, 'application/json', body, waitHeaders(fault)) }
  },
}

const discordWords: Words<readonly [code: number, message: string]> = {
  archived: [400, [50083, 'Thread is archived']],
  broken: [500, [0, '500: Internal Server Error']],
  empty: [400, [50006, 'Cannot send an empty message']],
  missing: [404, [10003, 'Unknown Channel']],
  no_team: [404, [0, '404: Not Found']],
  prohibited: [403, [50013, 'Missing Permissions']],
  revoked: [404, [10015, 'Unknown Webhook']],
  slow: [429, [0, 'You are being rate limited.']],
  too_many: [400, [50035, 'Invalid Form Body']],
  unreadable: [400, [50109, 'The request body contains invalid JSON.']],
}

/** Discord answers `ok` as `text/html` below `/slack`, and errors as JSON. An attachment is an embed, of which a message has ten. */
const discord: ChatService = {
  maxAttachments: 10,
  taken: answer(200, 'text/html; charset=utf-8', 'ok'),
  refused(fault) {
    const [status, [code, message]] = discordWords[fault]
    const wait = fault === 'slow' && { retry_after: PAUSE / 1000, global: false }
    const tooMany = fault === 'too_many' && {
      errors: {
        embeds: {
          _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 1 and 10 in length.' }],
        },
      },
    }
    const body = { message, ...(wait || { code }), ...tooMany }
    return {
      error: message,
      response: answer(status, 'application/json', JSON.stringify(body), waitHeaders(fault)),
    }
  },
}

/** Hooks that refuse, by their names. */
const named: readonly ChatFault[] = ['archived', 'missing', 'revoked', 'prohibited', 'broken', 'slow']

/** The service and the fault of a hook. */
interface ChatHook {
  readonly service: ChatService
  readonly fault: ChatFault | undefined
}

/**
 * Returns the service and the fault that the name of a hook stands for: `mattermost`, `discord-slow`, `archived`. Any other name is a hook of
 * Slack that accepts posts.
 */
function chatHook(name: string, requestId: RequestId): ChatHook {
  const [, brand = '', rest = ''] =
    /^(?:(slack|mattermost|rocket\.?chat|discord)(?:-|$))?(.*)$/is.exec(name) ?? []
  const services: Readonly<Record<string, ChatService>> = {
    mattermost: mattermost(requestId),
    rocketchat: rocketChat,
    discord,
  }
  return {
    service: services[brand.toLowerCase().replace('.', '')] ?? slack,
    fault: named.find(each => each === rest),
  }
}
