import { alterToken, selfSignedToken, unsignedToken } from './forged-tokens.js'
import { altered, asClient, without, withValue } from './messages.js'
import type { Refusal, TokenMove } from './move.js'
import type { TokenMessage } from './token-message.js'

const invalidGrant: Refusal = { by: 'token', errors: ['invalid_grant'] }

/** RFC 8693 §2.2.2 says invalid_request; some servers take a subject token for a grant. */
const badSubject: Refusal = { by: 'token', errors: ['invalid_request', 'invalid_grant'] }

function withParameter(message: TokenMessage, name: string, change: (value: string) => string): TokenMessage {
  return { ...message, pairs: withValue(message.pairs, name, change) }
}

/** Returns the forged subject token. An opaque token cannot be forged, so one of its characters is changed. */
function forged(value: string, token: string | { readonly problem: string }): string {
  return typeof token === 'string' ? token : altered(value)
}

const passwordMoves: readonly TokenMove[] = [
  {
    name: 'wrong-password',
    at: 'token_request',
    grants: ['password'],
    does: 'sends a wrong password',
    risk: 'everybody can log in as the person',
    rule: 'RFC 6749 §5.2',
    expects: [invalidGrant],
    change: message => withParameter(message, 'password', altered),
  },
  {
    name: 'missing-password',
    at: 'token_request',
    grants: ['password'],
    does: 'leaves the password out',
    risk: 'everybody can log in as the person',
    rule: 'RFC 6749 §4.3.2',
    expects: [{ by: 'token', errors: ['invalid_request', 'invalid_grant'] }],
    change: message => ({ ...message, pairs: without(message.pairs, 'password') }),
  },
]

const clientMoves: readonly TokenMove[] = [
  {
    name: 'public-client',
    at: 'token_request',
    grants: ['client-credentials'],
    does: 'asks in the name of a public client, which can prove nothing',
    risk: 'everybody has the rights of that client',
    rule: 'RFC 6749 §4.4',
    expects: [{ by: 'token', errors: ['unauthorized_client', 'invalid_client'] }],
    needs: 'publicClient',
    change: (message, { publicClient }) => (publicClient ? asClient(message, publicClient) : message),
  },
]

const deviceMoves: readonly TokenMove[] = [
  {
    name: 'guessed-device-code',
    at: 'token_request',
    grants: ['device'],
    does: 'asks with a device_code that the server never issued',
    risk: 'the tokens of another device can be had by guessing',
    rule: 'RFC 6749 §5.2',
    expects: [{ by: 'token', errors: ['invalid_grant', 'expired_token'] }],
    change: message => withParameter(message, 'device_code', altered),
  },
  {
    name: 'other-client-device-code',
    at: 'token_request',
    grants: ['device'],
    does: 'asks with the device_code as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 8628 §3.4',
    expects: [{ by: 'token', errors: ['invalid_grant', 'unauthorized_client'] }],
    needs: 'other',
    change: (message, { other }) => (other ? asClient(message, other) : message),
  },
  {
    name: 'reuse-device-code',
    at: 'token_request',
    grants: ['device'],
    does: 'redeems the device_code a second time',
    risk: 'anyone who finds a used device_code has a token',
    rule: 'RFC 6749 §5.2',
    expects: [{ by: 'token', errors: ['invalid_grant', 'expired_token'] }],
    again: 'anew',
    change: message => message,
  },
  {
    name: 'expired-device-code',
    at: 'token_request',
    grants: ['device'],
    does: 'waits until the device_code has expired, by the server’s clock',
    risk: 'somebody has long to trick a person into letting a device in',
    rule: 'RFC 8628 §3.5',
    expects: [{ by: 'token', errors: ['expired_token', 'invalid_grant'] }],
    wait: 'deviceCode',
    change: message => message,
  },
]

const exchangeMoves: readonly TokenMove[] = [
  {
    name: 'altered-subject-token',
    at: 'token_request',
    grants: ['token-exchange'],
    does: 'changes the subject in the token that it exchanges, and keeps the signature',
    risk: 'everybody gets tokens about everybody',
    rule: 'RFC 8693 §2.2.2',
    expects: [badSubject],
    change: message => withParameter(message, 'subject_token', alterToken),
  },
  {
    name: 'unsigned-subject-token',
    at: 'token_request',
    grants: ['token-exchange'],
    does: 'takes the signature off the token that it exchanges, and says alg: none',
    risk: 'everybody gets tokens about everybody',
    rule: 'RFC 8725 §3.2',
    expects: [badSubject],
    change: message => withParameter(message, 'subject_token', token => forged(token, unsignedToken(token))),
  },
  {
    name: 'foreign-subject-token',
    at: 'token_request',
    grants: ['token-exchange'],
    does: 'signs the token that it exchanges with a key of its own',
    risk: 'everybody gets tokens about everybody',
    rule: 'RFC 8693 §2.2.2',
    expects: [badSubject],
    async change(message) {
      const token = message.pairs.find(([name]) => name === 'subject_token')?.[1] ?? ''
      const made = forged(token, await selfSignedToken(token))
      return withParameter(message, 'subject_token', () => made)
    },
  },
  {
    name: 'expired-subject-token',
    at: 'token_request',
    grants: ['token-exchange'],
    does: 'waits until the token that it exchanges has expired, by the server’s clock',
    risk: 'a token that leaks once is made new for ever',
    rule: 'RFC 8693 §2.2.2',
    expects: [badSubject],
    wait: 'accessToken',
    change: message => message,
  },
]

/** Wrong token requests of one grant each. */
export const grantMoves: readonly TokenMove[] = [
  ...passwordMoves,
  ...clientMoves,
  ...deviceMoves,
  ...exchangeMoves,
]
