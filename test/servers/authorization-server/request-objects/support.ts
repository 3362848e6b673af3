import { expect } from 'vitest'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { fixedKeyring } from '../../../../src/protocol/tokens/keys.js'
import type {
  AuthorizationServerPorts,
  AuthorizationServerSettings,
} from '../../../../src/servers/authorization-server/settings.js'
import { ecKey, makeJwt, part, type TestKey } from '../../../protocol/tokens/jwt-maker.js'
import { CALLBACK, client, ISSUER, lab, type Parameters, SECRET, signingKey } from '../support.js'

export const key = ecKey('one')
export const stranger = ecKey('one')

/** Clients that sign by a key, by a secret, and not at all. */
export const clients: readonly Client[] = [
  client('signer', {
    jwks: { keys: [key.publicJwk] },
    redirect_uris: [CALLBACK, 'https://client.example/cb'],
  }),
  client('demo', { client_secret: SECRET }),
  client('unsigned', { request_object_signing_alg: 'none' }),
  client('only-es256', { jwks: { keys: [key.publicJwk] }, request_object_signing_alg: 'ES256' }),
  client('must-sign', { jwks: { keys: [key.publicJwk] }, require_signed_request_object: true }),
  client('strict', { jwks: { keys: [key.publicJwk] }, strict_request_objects: true }),
  client('fetched', {
    jwks: { keys: [key.publicJwk] },
    request_uris: ['https://client.example/object', 'https://elsewhere.example/object'],
  }),
]

export function world(
  more: Partial<AuthorizationServerSettings> = {},
  ports: Partial<AuthorizationServerPorts> = {},
) {
  return lab({ clients, ...more }, fixedKeyring(signingKey), ports)
}

export const now = Math.floor(world().clock.now / 1000)

/** Claims of a whole request. */
export const claims = (more: object = {}) => ({
  iss: 'signer',
  aud: ISSUER,
  client_id: 'signer',
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'records:read',
  state: 'inside',
  exp: now + 300,
  nbf: now,
  ...more,
})

export const signed = (more: object = {}, header: object = {}, by: TestKey = key) =>
  makeJwt(by, { typ: 'oauth-authz-req+jwt', kid: 'one', ...header }, claims(more))

export const unsigned = (more: object = {}) => `${part({ alg: 'none' })}.${part(claims(more))}.`

/** Claims of another client. */
export const of = (id: string) => ({ iss: id, client_id: id })

export type World = ReturnType<typeof world>

/** Sends a request that shows the login form, and returns its event. */
export async function accepted(parameters: Parameters, server: World = world()) {
  const page = await server.authorize(parameters)
  expect(server.events.find(({ type }) => type === 'authorization.refused')).toBeUndefined()
  expect(page.status).toBe(200)
  return server.events.find(({ type }) => type === 'request_object.accepted')
}

/** Sends a request that is refused, and returns the event. */
export async function refused(parameters: Parameters, server: World = world()) {
  await server.authorize(parameters)
  expect(server.types()).not.toContain('login.shown')
  return server.events.findLast(({ type }) => type === 'authorization.refused')
}
