import type { WeakName } from '../../../protocol/rules/weak-modes.js'
import { makeDpopProof, seededDpopKey } from '../../../protocol/tokens/dpop.js'
import { logIn, type Person, redeeming, textOf } from './honest.js'
import { ADDRESSES, CALLBACK, type Fields, type Street, THIEF } from './street.js'

/** A code, a token or nothing. */
type Loot = string

/** Other things happen between both parts. A lab with its defence refuses it. */
export interface Theft {
  /** The missing defence. */
  readonly weak: WeakName
  /** The victim does something. Returns what leaks; empty when nothing does. */
  prepare(street: Street, victim: Person): Promise<Loot>
  steal(street: Street, loot: Loot, from: string): Promise<void>
  /** For somebody who found the theft. */
  readonly story: string
}

/** Without PKCE and a secret: anyone can redeem its code. */
const OPEN_CLIENT = 'demo-public'

const AWAY = 'https://prizes.example/collect'

/** Also reads the records. */
async function spend(street: Street, from: string, client: string, fields: Fields): Promise<string> {
  const token = textOf(await street.token(from, client, fields), 'access_token')
  street.wait(2)
  if (token !== '') await street.read(from, token)
  return token
}

const codeReuse: Theft = {
  weak: 'code-reuse',
  async prepare(street, victim) {
    const from = ADDRESSES[victim]
    const login = await logIn(street, victim, OPEN_CLIENT, { from })
    if (login === undefined) return ''
    street.wait(1)
    await spend(street, from, OPEN_CLIENT, redeeming(login))
    return login.code
  },
  async steal(street, code, from) {
    await spend(street, from, OPEN_CLIENT, redeeming({ code, verifier: undefined }))
  },
  story: 'The code was redeemed a second time, from another address, and got tokens again.',
}

const codeNotBound: Theft = {
  weak: 'code-not-bound',
  async prepare(street, victim) {
    const login = await logIn(street, victim, OPEN_CLIENT, { from: ADDRESSES[victim] })
    return login?.code ?? ''
  },
  async steal(street, code, from) {
    await spend(street, from, THIEF.client, redeeming({ code, verifier: undefined }))
  },
  story: 'The code was issued to one client and redeemed by another one.',
}

const redirectAny: Theft = {
  weak: 'redirect-any',
  async prepare(street, victim) {
    const link = { from: ADDRESSES[victim], redirect_uri: AWAY }
    return (await logIn(street, victim, OPEN_CLIENT, link))?.code ?? ''
  },
  async steal(street, code, from) {
    // A server that refuses the address of the link issues no code.
    if (code === '') return
    await spend(street, from, OPEN_CLIENT, redeeming({ code, verifier: undefined }, AWAY))
  },
  story: 'The code went to a redirect address that the client never registered.',
}

const noRotation: Theft = {
  weak: 'no-rotation',
  async prepare(street, victim) {
    const from = ADDRESSES[victim]
    const login = await logIn(street, victim, 'demo-native', { from })
    if (login === undefined) return ''
    street.wait(1)
    const first = await street.token(from, 'demo-native', redeeming(login))
    const loot = textOf(first, 'refresh_token')
    street.wait(240)
    await street.token(from, 'demo-native', { grant_type: 'refresh_token', refresh_token: loot })
    return loot
  },
  async steal(street, loot, from) {
    await spend(street, from, 'demo-native', { grant_type: 'refresh_token', refresh_token: loot })
  },
  story: 'A refresh token that had been used before got tokens again, from another address.',
}

/** The application runs on a server, which reads the records once. */
async function serverToken(street: Street, victim: Person, more: Fields): Promise<string> {
  const login = await logIn(street, victim, 'demo', { from: ADDRESSES[victim], ...more })
  if (login === undefined) return ''
  street.wait(1)
  const answer = await street.token(ADDRESSES.servers, 'demo', { ...redeeming(login), ...more })
  return textOf(answer, 'access_token')
}

const noExpiry: Theft = {
  weak: 'no-expiry',
  async prepare(street, victim) {
    const token = await serverToken(street, victim, {})
    street.wait(1)
    await street.read(ADDRESSES.servers, token)
    return token
  },
  async steal(street, token, from) {
    street.wait(2 * 3600)
    await street.read(from, token)
  },
  story: 'The access token was accepted long after its expires_in.',
}

const anyAudience: Theft = {
  weak: 'any-audience',
  prepare: (street, victim) => serverToken(street, victim, { resource: 'https://api.example' }),
  steal: async (street, token, from) => void (await street.read(from, token)),
  story: 'The access token was issued for https://api.example, and accepted by another server.',
}

const bearerForDpop: Theft = {
  weak: 'bearer-for-dpop',
  async prepare(street, victim) {
    const from = ADDRESSES[victim]
    const key = await seededDpopKey(street.random(32))
    const proofFor = async (method: string, url: string, accessToken?: string) =>
      [
        'dpop',
        await makeDpopProof(key, { method, url, ...(accessToken && { accessToken }) }, street),
      ] as const
    const login = await logIn(street, victim, 'demo-native', { from })
    if (login === undefined) return ''
    street.wait(1)
    const proof = await proofFor('POST', `${street.urls.authorization}/token`)
    const token = textOf(await street.token(from, 'demo-native', redeeming(login), [proof]), 'access_token')
    street.wait(1)
    const ath = await proofFor('GET', `${street.urls.resource}/resource`, token)
    await street.read(from, token, [['authorization', `DPoP ${token}`], ath])
    return token
  },
  steal: async (street, token, from) => void (await street.read(from, token)),
  story: 'The access token is bound to a key (DPoP), and was accepted as a Bearer token without a proof.',
}

const jsonPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const algNone: Theft = {
  weak: 'alg-none',
  prepare: async (_, victim) => victim,
  async steal(street, victim, from) {
    const iat = Math.floor(street.now() / 1000)
    const claims = {
      ...{
        iss: street.urls.authorization,
        sub: victim,
        aud: 'demo',
        client_id: 'demo',
        scope: 'records:read',
      },
      iat,
      exp: iat + 3600,
      jti: Buffer.from(street.random(9)).toString('base64url'),
    }
    await street.read(from, `${jsonPart({ typ: 'at+jwt', alg: 'none' })}.${jsonPart(claims)}.`)
  },
  story: 'Nobody issued the access token: it has no signature, and was accepted.',
}

export const THEFTS: readonly Theft[] = [
  codeReuse,
  codeNotBound,
  redirectAny,
  noRotation,
  noExpiry,
  anyAudience,
  bearerForDpop,
  algNone,
]

/** The thief's own honest login: address and user of the log belong together. */
export async function thiefLogin(street: Street, from: string): Promise<void> {
  const login = await logIn(street, THIEF.username, THIEF.client, { from })
  if (login === undefined) return
  street.wait(1)
  await street.token(from, THIEF.client, redeeming(login, CALLBACK))
}
