import type { Fields } from '../../../protocol/http/form.js'
import { header } from '../../../protocol/http/message.js'
import { type BasicReading, parseBasic } from '../../../protocol/oauth/client-auth.js'
import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import type { Conversation } from '../conversation.js'
import { readJwt } from '../jwt.js'
import { issuedTokens, type Message } from '../message.js'

/** The parameters of the authorization request where the recording shows them all. */
export function askedFields({ asked }: Conversation): Fields | undefined {
  if (asked === undefined || asked.fields.has('request_uri') || asked.fields.has('request')) return undefined
  const { lacks } = asked.message.recorded
  return lacks.includes('request query') || lacks.includes('request body') ? undefined : asked.fields
}

/** The token requests that redeem a code, without those whose body the recording left out. */
export function codeRequests({ messages }: Conversation): readonly Message[] {
  return messages.filter(
    ({ kind, fields, recorded }) =>
      kind === 'token_request' &&
      (fields.get('grant_type') ?? 'authorization_code') === 'authorization_code' &&
      !recorded.lacks.includes('request body'),
  )
}

/** The Basic credentials of a request. */
export function basicOf({ recorded }: Message): BasicReading | undefined {
  return parseBasic(header(recorded.exchange.request, 'authorization') ?? '')?.[0]
}

/** True for a token request with a proof of who sends it. A certificate is not in a recording. */
export function isAuthenticated(message: Message): boolean {
  const { fields } = message
  return fields.has('client_secret') || fields.has('client_assertion') || basicOf(message) !== undefined
}

/** An issued token that is a JWT. */
export interface IssuedJwt {
  readonly kind: 'access_token' | 'id_token' | 'refresh_token'
  readonly jwt: DecodedJwt
  readonly message: Message
}

/** The issued tokens that are JWTs. */
export function issuedJwts({ messages }: Conversation): readonly IssuedJwt[] {
  return issuedTokens(messages).flatMap(({ kind, value, message }) => {
    const jwt = readJwt(value)
    return jwt ? [{ kind, jwt, message }] : []
  })
}

/** The name of a token for people. */
export const tokenName = (kind: IssuedJwt['kind']): string =>
  kind === 'id_token' ? 'ID token' : kind.replace('_', ' ')
