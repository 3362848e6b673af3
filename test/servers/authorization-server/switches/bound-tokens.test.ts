import { describe, expect, it } from 'vitest'
import { claimsOf, client, expectError, json, landed, SECRET } from '../support.js'
import { bankLab, key } from './signing-client.js'

const bound = { dpop_bound_access_tokens: true } as const

describe('dpop_bound_access_tokens (RFC 9449 §5.2)', () => {
  it('refuses a code without a proof, and leaves the code as it is', async () => {
    const made = bankLab(bound)
    const code = await made.code()
    const refused = await made.redeem(code)
    expectError(refused, 400, 'invalid_dpop_proof')
    expect(made.events.at(-1)).toMatchObject({ type: 'token.refused', rule: 'RFC 9449 §5.2' })
    const answer = json(await made.redeem(code, [await made.proof()]))
    expect([answer.token_type, claimsOf(answer.access_token).cnf]).toEqual(['DPoP', { jkt: key.jkt }])
  })

  it('counts for every grant', async () => {
    const made = bankLab({
      ...bound,
      grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    })
    expectError(await made.ask({ grant_type: 'client_credentials' }), 400, 'invalid_dpop_proof')
    const { refresh_token: token } = await made.authorized()
    expectError(await made.refresh(token), 400, 'invalid_dpop_proof')
    expect((await made.refresh(token, [await made.proof()])).status).toBe(200)
  })

  it('leaves other clients alone', async () => {
    const made = bankLab()
    expect(json(await made.redeem(await made.code())).token_type).toBe('Bearer')
  })
})

describe('a token through the browser', () => {
  const types = ['code', 'id_token', 'token', 'id_token token', 'code token', 'code id_token token'] as const
  const switches = [
    ['dpop_bound_access_tokens', 'RFC 9449 §5.2'],
    ['tls_client_certificate_bound_access_tokens', 'RFC 8705 §3.4'],
  ] as const

  it.each(switches.flatMap(([name, rule]) => types.map(type => [type, name, rule] as const)))(
    '%s of a client with %s is refused where it would be unbound',
    async (type, name, rule) => {
      const made = bankLab(
        {},
        {
          clients: [
            client('bound', {
              client_secret: SECRET,
              response_types: types,
              grant_types: ['authorization_code', 'implicit'],
              [name]: true,
            }),
          ],
        },
      )
      const request = { ...made.request(), client_id: 'bound', redirect_uri: 'http://127.0.0.1/callback' }
      const response = await made.authorize({ ...request, response_type: type })
      const tokens = type.split(' ').includes('token')
      expect(response.status).toBe(tokens ? 302 : 200)
      if (!tokens) return
      const { hash } = new URL(response.headers.find(([each]) => each === 'location')![1])
      expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toMatchObject({
        error: 'unauthorized_client',
        state: 's',
      })
      expect(made.events.at(-1)).toMatchObject({ type: 'authorization.refused', channel: 'redirect', rule })
      expect(landed(response)).toEqual({})
    },
  )
})
