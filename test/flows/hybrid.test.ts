import { describe, expect, it } from 'vitest'
import { hybridFlow } from '../../src/flows/hybrid.js'
import type { FlowOptions } from '../../src/flows/options.js'
import { bytes, text } from '../../src/protocol/http/message.js'
import type { Client } from '../../src/protocol/oauth/client.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { signJwt } from '../../src/protocol/tokens/keys.js'
import { everything } from './support/everything.js'
import { reparametered } from './support/tampers.js'
import { collect, outcomeIn, signingKey, stepOf, stepsOf, type Tamper, world } from './support/world.js'

const TYPES = ['code id_token', 'code token', 'code id_token token'] as const
const client: Client = { ...everything, response_types: [...TYPES] }

async function walk(wanted: Partial<FlowOptions> = {}, tamper?: Tamper) {
  const at = await world({ client, scope: 'openid', wanted, ...(tamper && { tamper }) })
  return collect(hybridFlow(at.ports, at.wanted))
}

/** Changes the claims of the id_token in the fragment, signed by the server's own key. */
const reclaimed = (change: (claims: Record<string, unknown>) => Record<string, unknown>): Tamper =>
  reparametered(async pairs => {
    const { claims } = decodeJwt(pairs.get('id_token') ?? '')
    pairs.set('id_token', await signJwt(change({ ...claims }), signingKey))
  }, /id_token=/)

describe('hybridFlow', () => {
  it.each<[string, readonly string[]]>([
    ['code id_token', ['iss', 'nonce', 'c_hash']],
    ['code id_token token', ['iss', 'nonce', 'at_hash', 'c_hash']],
  ])(
    '%s: verifies the id_token of the browser before it redeems the code',
    async (responseType, expected) => {
      const records = await walk({ responseType })
      expect(outcomeIn(records).outcome).toBe('granted')
      const names = stepsOf(records).map(each => each.name)
      expect(names.indexOf('id_token_verification')).toBeLessThan(names.indexOf('token_request'))
      const checks = stepOf(records, 'id_token_verification').token?.checks ?? []
      expect(checks.filter(each => !each.ok)).toEqual([])
      expect(checks.map(each => each.name)).toEqual(expect.arrayContaining([...expected]))
      expect(stepOf(records, 'token_request').checks).toContainEqual(
        expect.objectContaining({ name: 'same_login', ok: true }),
      )
      expect(new Set(names).size).toBe(names.length)
    },
  )

  it('code token: has no id_token to verify early', async () => {
    const records = await walk({ responseType: 'code token' })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepsOf(records).map(each => each.name)).not.toContain('id_token_verification')
    expect(stepOf(records, 'authorization_response').tokens?.map(each => each.kind)).toEqual(['access_token'])
  })

  it('form_post: the browser posts the answer to the client', async () => {
    const records = await walk({ responseMode: 'form_post' })
    expect(outcomeIn(records).outcome).toBe('granted')
    const { exchange } = stepOf(records, 'authorization_response')
    expect(exchange?.request).toMatchObject({ method: 'POST', body: expect.stringContaining('id_token=') })
    expect(exchange?.request.url).not.toContain('code=')
  })

  it.each(
    Object.entries<[Partial<FlowOptions>, Tamper, { error: string; rule?: string }]>({
      'another code (injection)': [
        {},
        reparametered(pairs => pairs.set('code', 'x'.repeat(43))),
        { error: 'invalid_token', rule: 'OpenID Connect Core §3.3.2.10' },
      ],
      'an id_token without c_hash': [
        {},
        reclaimed(({ c_hash: _, ...claims }) => claims),
        { error: 'invalid_token', rule: 'OpenID Connect Core §3.3.2.10' },
      ],
      'another nonce': [
        {},
        reclaimed(claims => ({ ...claims, nonce: 'other' })),
        { error: 'invalid_token', rule: 'OpenID Connect Core §3.1.3.7' },
      ],
      'an id_token without at_hash beside an access token': [
        { responseType: 'code id_token token' },
        reclaimed(({ at_hash: _, ...claims }) => claims),
        { error: 'invalid_token', rule: 'OpenID Connect Core §3.2.2.9' },
      ],
      'no code': [{}, reparametered(pairs => pairs.delete('code')), { error: 'invalid_response' }],
      'no id_token': [{}, reparametered(pairs => pairs.delete('id_token')), { error: 'invalid_response' }],
      'another state': [{}, reparametered(pairs => pairs.set('state', 'x')), { error: 'state_mismatch' }],
      'an id_token of another user': [
        {},
        reclaimed(claims => ({ ...claims, sub: 'mallory' })),
        { error: 'subject_mismatch', rule: 'OpenID Connect Core §3.3.3.6' },
      ],
    }),
  )('refuses %s', async (_, [wanted, tamper, error]) => {
    const records = await walk(wanted, tamper)
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error })
  })

  it('does not redeem the code of an answer whose id_token is refused', async () => {
    const records = await walk(
      {},
      reclaimed(claims => ({ ...claims, nonce: 'other' })),
    )
    expect(stepsOf(records).map(each => each.name)).not.toContain('token_request')
  })

  it('takes nothing from a form that leads elsewhere', async () => {
    const records = await walk({ responseMode: 'form_post' }, (_request, answer) => {
      const page = text(answer.body)
      if (!page.includes('name="id_token"')) return undefined
      return { ...answer, body: bytes(page.replace(/action="[^"]*"/, 'action="https://evil.example/cb"')) }
    })
    expect(outcomeIn(records).outcome).not.toBe('granted')
    expect(stepsOf(records).map(each => each.name)).not.toContain('token_request')
  })
})
