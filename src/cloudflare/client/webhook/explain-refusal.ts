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

/** Returns the error code of an answer, or undefined when the code is unknown. */
function wordOf(body: string): string | undefined {
  const word = /^\s*([a-z_]{3,60})\s*$/.exec(body)?.[1]
  return word !== undefined && Object.hasOwn(meanings, word) ? word : undefined
}

/** Returns the message of an answer. Mattermost, Rocket.Chat and Discord answer in JSON. */
function messageOf(body: string): string | undefined {
  try {
    const value = JSON.parse(body) as { readonly [name: string]: unknown } | null
    const said = [value?.message, value?.error].find(each => typeof each === 'string' && each !== '')
    return typeof said === 'string' ? said.slice(0, 200) : undefined
  } catch {
    const plain = body.trim()
    return /^[\w .,:'-]{1,80}$/.test(plain) ? plain : undefined
  }
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
  const { says, next } =
    (word !== undefined && meanings[word]) || (byStatus[status] ?? (status >= 500 ? failing : other))
  const message = word === undefined ? messageOf(body) : undefined
  const said = word ?? (message && hide(message))
  return { message: `${says} (${said ? `${said}, ` : ''}HTTP ${status})`, next }
}
