import { describe, expect, it } from 'vitest'
import type { Header } from '../../../../src/protocol/http/message.js'
import { generateDpopKey, makeDpopProof } from '../../../../src/protocol/tokens/dpop.js'
import { invalidGrant, required } from '../../../../src/servers/authorization-server/grants/grant.js'
import { GRANTS, type MakeGrant } from '../../../../src/servers/authorization-server/grants/index.js'
import { grantedScope } from '../../../../src/servers/authorization-server/parameters/scopes.js'
import {
  basic,
  claimsOf,
  client,
  countedRandom,
  expectError,
  ISSUER,
  json,
  lab,
  type Parameters,
} from '../support.js'

const VOUCHER = 'urn:example:grant-type:voucher'
const [key, otherKey] = [await generateDpopKey(), await generateDpopKey()]
const random = countedRandom()

/** A grant as CONTRIBUTING.md describes one. It knows nothing of keys and resources. */
const voucherGrant: MakeGrant = ({ settings }) => ({
  grantType: VOUCHER,
  parameters: ['voucher', 'scope'],
  async decide(client, parameters) {
    const voucher = required(parameters.voucher, 'voucher', 'RFC 6749 §4.5')
    if (voucher !== 'good') throw invalidGrant('the voucher is unknown', 'RFC 6749 §5.2')
    return { subject: client.client_id, scope: grantedScope(parameters.scope, client, settings) }
  },
})

function world(grant: MakeGrant = voucherGrant) {
  const shop = client('shop', { client_secret: 'shop-secret', grant_types: [VOUCHER] })
  const made = lab({ clients: [shop] }, undefined, {}, [...GRANTS, grant])
  const proof = async (by = key): Promise<Header> => {
    const ports = { now: () => made.clock.now, random }
    return ['dpop', await makeDpopProof(by, { method: 'POST', url: `${ISSUER}/token` }, ports)]
  }
  const ask = (form: Parameters = {}, headers: readonly Header[] = []) =>
    made.token({ grant_type: VOUCHER, voucher: 'good', ...form }, [basic('shop', 'shop-secret'), ...headers])
  return { ...made, proof, ask }
}

describe('a new grant', () => {
  it('gets tokens that are bound to the key, the resource and the client of the request', async () => {
    const { ask, proof } = world()
    const answer = json(await ask({ resource: 'https://api.example/' }, [await proof()]))
    expect(answer.token_type).toBe('DPoP')
    expect(claimsOf(answer.access_token)).toMatchObject({
      cnf: { jkt: key.jkt },
      aud: 'https://api.example/',
      client_id: 'shop',
    })
  })

  it('gets a bearer token for the client where the request names neither', async () => {
    const answer = json(await world().ask())
    expect(answer.token_type).toBe('Bearer')
    expect(claimsOf(answer.access_token).cnf).toBeUndefined()
    expect(claimsOf(answer.access_token).aud).toBe('shop')
  })

  it('is advertised, and refuses by its own rules', async () => {
    const { ask, get } = world()
    const { grant_types_supported: advertised } = json(await get('/.well-known/openid-configuration'))
    expect(advertised).toContain(VOUCHER)
    expectError(await ask({ voucher: 'bad' }), 400, 'invalid_grant')
    expectError(await ask({ voucher: undefined }), 400, 'invalid_request')
  })

  it('uses nothing up while the key or a resource is refused', async () => {
    let redeemed = 0
    const { ask, proof } = world(() => ({
      grantType: VOUCHER,
      parameters: ['voucher'],
      decide: async () => ({
        subject: 'alice',
        scope: ['records:read'],
        authorizedResources: ['https://api.example/'],
        requiredKeys: [{ of: 'refresh_token', jkt: key.jkt, evidence: 'a voucher' }],
        redeem() {
          redeemed++
          return undefined
        },
      }),
    }))
    expectError(await ask(), 400, 'invalid_grant')
    expectError(await ask({}, [await proof(otherKey)]), 400, 'invalid_grant')
    expectError(await ask({ resource: 'https://other.example/' }, [await proof()]), 400, 'invalid_target')
    expect(redeemed).toBe(0)
    const answer = json(await ask({}, [await proof()]))
    expect([redeemed, claimsOf(answer.access_token).aud]).toEqual([1, 'https://api.example/'])
  })
})
