import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { WEAK_MODES, type WeakNameAt } from '../../../src/protocol/rules/weak-modes.js'
import { publicPem } from '../../../src/protocol/tokens/keys.js'
import { weakDefences } from '../../../src/servers/resource-server/weak/weak-defences.js'
import { goodClaims, key, otherKey, server, tokenOf } from './support.js'

type Name = WeakNameAt<'resource-server'>
type Server = ReturnType<typeof server>

const withModes = (...names: Name[]): Server => server({ settings: { defences: weakDefences(names) } })

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with any header, signed by HMAC with any text; without a secret it has no signature. */
function forged(header: Readonly<Record<string, unknown>>, secret?: string, claims: unknown = goodClaims) {
  const signed = `${part(header)}.${part(claims)}`
  if (secret === undefined) return `${signed}.`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** True when the server shows the records of the victim for a token. */
const opens = async (resource: Server, token: string) => {
  const { status } = await resource.withToken(token, '/records')
  return status === 200
}

const { scope: _, client_id: __, ...identity } = goodClaims
const idToken = { ...identity, nonce: 'n-1', at_hash: 'x' }
const publicText = async (resource: Server) => (await resource.send('/public')).text

/** The attack that each mode opens. Returns true when the attacker reads what only the victim should read. */
const attacks: Readonly<Record<Name, (resource: Server) => Promise<boolean>>> = {
  'alg-none': resource => opens(resource, forged({ alg: 'none' })),
  'hs-rs': resource => opens(resource, forged({ alg: 'HS256', kid: key.kid }, publicPem(key))),
  'any-audience': async resource => opens(resource, await tokenOf({ aud: 'https://other.example' })),
  'id-token-as-access-token': async resource =>
    opens(resource, await tokenOf({ ...idToken, scope: undefined, client_id: undefined })),
  'kid-path': async resource =>
    opens(resource, forged({ alg: 'HS256', kid: '../www/public.json' }, await publicText(resource))),
  'no-expiry': async resource => opens(resource, await tokenOf({ exp: goodClaims.iat - 86_400 })),
  'bearer-for-dpop': async resource => opens(resource, await tokenOf({ cnf: { jkt: 'thumbprint' } })),
}

describe('a weak mode of the resource server', () => {
  it.each(Object.entries(attacks))(
    '%s lets its attack succeed, which fails without it',
    async (name, attack) => {
      expect(await attack(withModes(name as Name))).toBe(true)
      expect(await attack(server())).toBe(false)
    },
  )

  it('is one of the table, with a test', () => {
    const named = WEAK_MODES.filter(({ at }) => at === 'resource-server').map(({ name }) => name)
    expect(new Set<string>(Object.keys(attacks))).toEqual(new Set(named))
  })

  it('opens nothing else: each other attack fails with it', async () => {
    for (const name of Object.keys(attacks) as Name[]) {
      for (const [other, attack] of Object.entries(attacks)) {
        expect([name, other, await attack(withModes(name))]).toEqual([name, other, other === name])
      }
    }
  })

  it('goes together with the others', async () => {
    const all = Object.keys(attacks) as Name[]
    for (const attack of Object.values(attacks)) expect(await attack(withModes(...all))).toBe(true)
  })

  it('still verifies the signatures of other tokens, and serves honest clients', async () => {
    const all = withModes(...(Object.keys(attacks) as Name[]))
    expect(await opens(all, await tokenOf())).toBe(true)
    expect(await opens(all, await tokenOf({}, otherKey))).toBe(false)
    expect(await opens(all, forged({ alg: 'HS256' }, 'a guess'))).toBe(false)
    expect(await opens(all, await tokenOf({ iss: 'https://evil.example' }))).toBe(false)
    expect(await opens(all, await tokenOf({ scope: 'records:write' }))).toBe(false)
  })

  it('kid-path reads the empty file, and no file of the computer', async () => {
    const resource = withModes('kid-path')
    expect(await opens(resource, forged({ alg: 'HS256', kid: '../../../dev/null' }, ''))).toBe(true)
    const { status } = await resource.withToken(forged({ alg: 'HS256', kid: '/etc/hostname' }, ''))
    expect(status).toBe(401)
  })

  it('hs-rs takes the text of the key without its last line feed, and of a configured key', async () => {
    const pem = publicPem(key)
    const defences = weakDefences(['hs-rs'])
    const configured = server({ settings: { defences, keys: { kind: 'public-key', pem } } })
    for (const resource of [withModes('hs-rs'), configured]) {
      expect(await opens(resource, forged({ alg: 'HS256' }, pem.trimEnd()))).toBe(true)
    }
  })
})
