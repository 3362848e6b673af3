import { generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { text } from '../../../src/protocol/http/message.js'
import type { ResponseKind } from '../../../src/protocol/oauth/algorithms.js'
import { basic, client, codeRequest, json, lab, landed } from './support.js'

const SECRET = 'a secret of at least thirty-two bytes'
const keys = [
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
]

/** Returns the header of a response to a client with a registration. */
export async function headerOf(kind: ResponseKind, registration: Parameters<typeof client>[1]) {
  const more = { client_secret: SECRET, jwks: { keys: keys as Record<string, unknown>[] }, ...registration }
  const world = lab({ clients: [client('demo', more)] })
  if (kind === 'authorization') {
    return decodeProtectedHeader(landed(await world.login(codeRequest({ response_mode: 'jwt' }))).response!)
  }
  const headers = [basic('demo', SECRET)]
  const tokens = json(await world.redeem(await world.newCode({ scope: 'openid' }), {}, headers))
  const token = String(tokens.access_token)
  if (kind === 'id_token') return decodeProtectedHeader(String(tokens.id_token))
  const answer =
    kind === 'userinfo'
      ? await world.get('/userinfo', [['authorization', `Bearer ${token}`]])
      : await world.post('/introspection', { token }, [
          ...headers,
          ['accept', 'application/token-introspection+jwt'],
        ])
  return decodeProtectedHeader(text(answer.body))
}
