import type { AttackName } from '../judge/attacks/names.js'
import type { Rule } from '../protocol/rules/rule.js'
import type { WeakName } from '../protocol/rules/weak-modes.js'
import type { MisconceptionName, Option, ProbeName } from './model.js'

/** It makes a misconception fail before the eyes of a learner. */
export type Shown =
  | { readonly by: 'probe'; readonly name: ProbeName }
  | { readonly by: 'attack'; readonly name: AttackName }
  | { readonly by: 'weak mode'; readonly name: WeakName }
  /** Of `flow --tamper`. */
  | { readonly by: 'tamper move'; readonly name: string }
  /** Of `doctor`. */
  | { readonly by: 'doctor check'; readonly name: string }
  /** `LESSON TASK`. */
  | { readonly by: 'task'; readonly name: `${string} ${string}` }

/** A wrong belief, and what is true. */
export interface Misconception {
  /** As somebody says it who has the belief. */
  readonly belief: string
  readonly truth: string
  readonly rule: Rule
  /** The number of the lesson that answers it. */
  readonly lesson: number
  readonly shown: Shown
}

export const MISCONCEPTIONS = {
  'oauth-is-login': {
    belief: 'Anyone who brings an access token of alice is alice.',
    truth:
      'A token says what may be done, and any client that got one can pass it on; the ID token is about a login.',
    rule: 'RFC 6749 §10.16',
    lesson: 2,
    shown: { by: 'attack', name: 'token-substitution' },
  },
  'consent-is-authentication': {
    belief: 'Somebody agreed on the page, so the client knows who is there.',
    truth:
      'An agreement allows something; it names nobody to the client, and a hidden frame can fetch it by a click.',
    rule: 'RFC 9700 §4.16',
    lesson: 2,
    shown: { by: 'attack', name: 'clickjacked-consent' },
  },
  'https-is-enough': {
    belief: 'Everything is encrypted, so nobody can steal what is sent.',
    truth: 'TLS protects the way, and not its end: what is sent to an attacker arrives there safely.',
    rule: 'RFC 6749 §3.1.2.3',
    lesson: 3,
    shown: { by: 'attack', name: 'stolen-code' },
  },
  'redirect-prefix-is-fine': {
    belief: 'An address that begins like the registered one belongs to the same site.',
    truth:
      'Behind the beginning an attacker finds another path, another host or an open redirector; only equal strings are equal.',
    rule: 'RFC 9700 §4.1.3',
    lesson: 3,
    shown: { by: 'weak mode', name: 'redirect-prefix' },
  },
  'state-is-pkce': {
    belief: 'State stops a thief who has the code, as PKCE does.',
    truth:
      'With state the client notices a foreign answer; with PKCE the server refuses a code in foreign hands, and so PKCE, or nonce, can take the place of state.',
    rule: 'RFC 9700 §2.1',
    lesson: 5,
    shown: { by: 'attack', name: 'login-csrf' },
  },
  'pkce-is-for-public-clients-only': {
    belief: 'My client has a secret, so it needs no PKCE.',
    truth:
      'The secret proves which client redeems the code, and not for which login; PKCE stops a code that was put into another one.',
    rule: 'RFC 9700 §2.1.1',
    lesson: 5,
    shown: { by: 'attack', name: 'code-injection' },
  },
  'access-token-is-for-the-client': {
    belief: 'The client may read the access token to find out about the user.',
    truth:
      'The access token is for the resource server, and may look different tomorrow; the ID token is for the client.',
    rule: 'RFC 9068 §6',
    lesson: 1,
    shown: { by: 'weak mode', name: 'id-token-as-access-token' },
  },
  'jwt-is-encrypted': {
    belief: 'A JWT looks like gibberish, so nobody can read it.',
    truth: 'It is base64url, which everybody can decode; what is in it is public to all who see it.',
    rule: 'RFC 7519 §7.2',
    lesson: 7,
    shown: { by: 'task', name: '07-reading-a-token readable' },
  },
  'decode-is-verify': {
    belief: 'The token could be decoded, so it is genuine.',
    truth:
      'Anybody can write a token that decodes; only the signature, checked with the right key and algorithm, says who made it.',
    rule: 'RFC 8725 §3.2',
    lesson: 7,
    shown: { by: 'attack', name: 'algorithm-confusion' },
  },
  'scope-is-what-the-user-may': {
    belief: 'The scope says what the user is allowed to do.',
    truth: 'It says how much of that the client may do; a client cannot get more by asking for more.',
    rule: 'RFC 6749 §3.3',
    lesson: 9,
    shown: { by: 'tamper move', name: 'scope-escalation' },
  },
  'signed-means-valid': {
    belief: 'The signature holds, so the token is good.',
    truth:
      'A signed token can be expired, revoked, or made for somebody else; each of these is a check of its own.',
    rule: 'RFC 7519 §4.1.4',
    lesson: 10,
    shown: { by: 'weak mode', name: 'no-expiry' },
  },
  '401-is-403': {
    belief: '401 and 403 mean the same: no entry.',
    truth: '401 asks for a token, or for a better one; 403 says that this good token is not enough.',
    rule: 'RFC 6750 §3.1',
    lesson: 9,
    shown: { by: 'task', name: '09-scopes-and-consent too-little' },
  },
  'refresh-tokens-live-for-ever': {
    belief: 'A refresh token stays the same, and works until the user logs out.',
    truth:
      'It expires, it can be revoked, and with rotation each one is good once; a second use ends them all.',
    rule: 'RFC 9700 §4.14.2',
    lesson: 12,
    shown: { by: 'attack', name: 'refresh-theft' },
  },
  'email-is-identity': {
    belief: 'The e-mail address in the token says whose account it is.',
    truth:
      'Addresses change hands, and another issuer may claim any of them; only issuer and sub together name a user.',
    rule: 'OpenID Connect Core §5.7',
    lesson: 14,
    shown: { by: 'weak mode', name: 'email-is-identity' },
  },
  'logout-revokes-tokens': {
    belief: 'After a logout the tokens are worthless.',
    truth:
      'Logout ends the session in the browser; tokens live until they expire or until somebody revokes them.',
    rule: 'RFC 7009 §2',
    lesson: 15,
    shown: { by: 'task', name: '15-logout still-works' },
  },
  'secret-in-the-app-is-secret': {
    belief: 'The client secret is compiled into the app, where nobody finds it.',
    truth:
      'Everybody who has the app has the secret, so the server cannot know the app by it, and asks the user each time.',
    rule: 'RFC 8252 §8.5',
    lesson: 20,
    shown: { by: 'attack', name: 'silent-consent' },
  },
  'cors-is-security': {
    belief: 'CORS keeps strangers away from the server.',
    truth: 'CORS says to browsers which pages may read an answer; every other program sends what it likes.',
    rule: 'RFC 9700 §2.6',
    lesson: 20,
    shown: { by: 'task', name: '20-leaking origin' },
  },
  'bearer-is-bound': {
    belief: 'A stolen access token does not work from another computer.',
    truth:
      'A bearer token works for everybody who has it; only a token that is bound to a key needs the key as well.',
    rule: 'RFC 9449 §7.2',
    lesson: 21,
    shown: { by: 'attack', name: 'replayed-bearer' },
  },
} as const satisfies Readonly<Record<MisconceptionName, Misconception>>

/** The belief behind a wrong answer, the rule against it, and what is true. */
export interface WrongBelief {
  readonly belief: string
  readonly truth: string
  readonly rule?: string
}

/** Undefined for the right answer. */
export function beliefBehind({ misconception, reply, rule }: Option): WrongBelief | undefined {
  if (misconception === undefined) return undefined
  if (misconception.startsWith('own: ')) {
    return { belief: misconception.slice(5), truth: reply, ...(rule && { rule }) }
  }
  const known = MISCONCEPTIONS[misconception as MisconceptionName]
  return { belief: known.belief, truth: known.truth, rule: rule ?? known.rule }
}
