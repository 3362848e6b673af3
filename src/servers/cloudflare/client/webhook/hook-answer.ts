import { type JsonObject, parsedObject, withoutEnd } from '../../../../protocol/values.js'

/** The judgement of an answer to a post: accepted, refused, or not from a chat service. */
export type Verdict = 'taken' | 'refused' | 'unknown'

/** True for a JSON answer that reports a failure, whatever its status is. */
function reportsFailure({ success, ok, error }: JsonObject): boolean {
  return success === false || ok === false || (typeof error === 'string' && error !== '')
}

/**
 * Judges an answer by its status and its body. Slack, Mattermost and Discord answer `ok` and Rocket.Chat `{"success":true}`, each with
 * a content type of its own: Slack and Discord send `text/html`. An HTML page with a status of success is a login page or a proxy.
 * @param isErrorWord true for a text that is an error code of a chat service
 */
export function judge(status: number, body: string, isErrorWord: (body: string) => boolean): Verdict {
  if (status < 200 || status >= 300) return 'refused'
  const json = parsedObject(body)
  if (json) return reportsFailure(json) ? 'refused' : 'taken'
  if (isErrorWord(body)) return 'refused'
  return body.trimStart().startsWith('<') ? 'unknown' : 'taken'
}

/** The meaning of an error code with the next move. */
interface Meaning {
  readonly says: string
  readonly next: string
}

/** The error codes of chat services. */
const meanings: Readonly<Record<string, Meaning>> = {
  invalid_payload: {
    says: 'the chat service cannot read the post',
    next: 'Print it:   --dry-run',
  },
  invalid_attachments: {
    says: 'the chat service cannot read the attachments',
    next: 'Print them:   --dry-run',
  },
  no_text: { says: 'the chat service found nothing to show in the post', next: 'Print it:   --dry-run' },
  too_many_attachments: {
    says: 'the post has more attachments than the chat service takes',
    next: 'Use smaller posts:   --batch 10',
  },
  invalid_form_body: {
    says: 'the chat service cannot take a post of this form',
    next: 'Discord takes ten attachments:   --batch 10',
  },
  user_not_found: {
    says: 'the chat service knows no user of that name',
    next: 'Name another one with --channel, or leave it out',
  },
  channel_not_found: {
    says: 'the chat service knows no channel of that name',
    next: 'Name another one with --channel, or leave it out: the hook has a channel of its own',
  },
  channel_is_archived: {
    says: 'the channel is archived',
    next: 'Open it again, or make a hook for another one',
  },
  action_prohibited: {
    says: 'the administrators of the chat do not let this hook post there',
    next: 'Ask them, or leave --channel out',
  },
  posting_to_general_channel_denied: {
    says: 'the administrators of the chat let nobody post to the general channel',
    next: 'Use a hook of another channel',
  },
  invalid_token: { says: 'the hook is not valid', next: 'Make a new one in the chat service' },
  no_service: {
    says: 'the hook was revoked, or there never was one at this address',
    next: 'Make a new one in the chat service',
  },
  no_service_id: { says: 'the address of the hook is incomplete', next: 'Copy it again, as a whole' },
  no_team: { says: 'the address names no team of the chat service', next: 'Copy it again, as a whole' },
  no_active_hooks: { says: 'the hook is switched off', next: 'Make a new one in the chat service' },
  team_disabled: { says: 'the chat of this team is switched off', next: 'Ask its administrators' },
  rate_limited: {
    says: 'the chat service wants fewer posts',
    next: 'Try again later, with a larger --batch',
  },
  rollup_error: { says: 'the chat service failed at its own work', next: 'Try again later' },
}

const byStatus: Readonly<Record<number, Meaning>> = {
  400: { says: 'the chat service did not take the post', next: 'Print it:   --dry-run' },
  401: { says: 'the chat service does not accept the hook', next: 'Make a new one in the chat service' },
  403: { says: 'the chat service does not let this hook post', next: 'Ask its administrators' },
  404: { says: 'there is no hook at this address', next: 'Copy it again, or make a new one' },
  405: { says: 'nothing takes posts at this address', next: 'Copy the address of the hook again' },
  410: { says: 'the hook is gone', next: 'Make a new one in the chat service' },
  413: { says: 'the post is too large', next: 'Use smaller posts:   --batch 5' },
  429: { says: 'the chat service wants fewer posts', next: 'Try again later, with a larger --batch' },
}

const failing: Meaning = { says: 'the chat service fails', next: 'Try again later' }
const other: Meaning = { says: 'the chat service did not take the post', next: 'Print it:   --dry-run' }

/** The codes of Mattermost (`id`) and Discord (`code`), as the error codes of Slack that mean the same. */
const sameAs: Readonly<Record<string, string>> = {
  'web.incoming_webhook.invalid.app_error': 'no_service',
  'web.incoming_webhook.disabled.app_error': 'no_active_hooks',
  'web.incoming_webhook.text.app_error': 'no_text',
  'web.incoming_webhook.channel.app_error': 'channel_not_found',
  'web.incoming_webhook.user.app_error': 'user_not_found',
  'web.incoming_webhook.permissions.app_error': 'action_prohibited',
  'web.incoming_webhook.channel_locked.app_error': 'action_prohibited',
  'api.post.create_post.can_not_post_to_deleted.error': 'channel_is_archived',
  'model.incoming_hook.parse_data.app_error': 'invalid_payload',
  '50006': 'no_text',
  '50027': 'invalid_token',
  '50035': 'invalid_form_body',
}

/** Returns the error code in a body, or undefined for another body. */
function wordOf(body: string): string | undefined {
  const word = /^\s*([a-z_]{3,60})\s*$/.exec(body)?.[1]
  return word !== undefined && Object.hasOwn(meanings, word) ? word : undefined
}

/** True for a body that is an error code of a chat service. */
export const isErrorWord = (body: string): boolean => wordOf(body) !== undefined

/** Returns the message and the meaning of a JSON answer, as Mattermost, Rocket.Chat and Discord send it. */
function readJson({ id, code, message, error }: JsonObject) {
  const same = [id, code].map(String).find(each => Object.hasOwn(sameAs, each))
  const said = [message, error].find(each => typeof each === 'string' && each !== '') as string | undefined
  // A full stop inside the parentheses of our own sentence looks like its end.
  return {
    said: said && withoutEnd(said.slice(0, 200), '.'),
    meaning: same === undefined ? undefined : meanings[sameAs[same]!],
  }
}

/** Returns a short plain text. Other bodies may be pages. */
function plainText(body: string): string | undefined {
  const plain = body.trim()
  return /^[\w .,:'-]{1,80}$/.test(plain) ? plain : undefined
}

/**
 * Explains a refusal of a chat service: one line about it, and the next move.
 * @param hide removes the address of the hook from a message
 */
export function explainRefusal(
  status: number,
  body: string,
  hide: (text: string) => string,
): { readonly message: string; readonly next: string } {
  const word = wordOf(body)
  const json = parsedObject(body)
  const { said, meaning } = json ? readJson(json) : { said: plainText(body), meaning: undefined }
  const byWord = word === undefined ? meaning : meanings[word]
  const { says, next } = byWord ?? byStatus[status] ?? (status >= 500 ? failing : other)
  const reason = word ?? (said && hide(said))
  return { message: `${says} (${reason ? `${reason}, ` : ''}HTTP ${status})`, next }
}
