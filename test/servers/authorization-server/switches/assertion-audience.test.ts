import { describe, expect, it } from 'vitest'
import { expectError, ISSUER } from '../support.js'
import { bankLab } from './signing-client.js'

const service = { grant_types: ['client_credentials'] } as const
const ask = (made: ReturnType<typeof bankLab>, aud: unknown) =>
  made.ask({ grant_type: 'client_credentials' }, [], { claims: { aud } })

const audiences: readonly [aud: unknown, strict: number, usual: number][] = [
  [ISSUER, 200, 200],
  [[ISSUER], 400, 200],
  [[ISSUER, 'https://other.example'], 400, 200],
  [`${ISSUER}/token`, 400, 200],
  [`${ISSUER}/`, 400, 400],
  ['https://other.example', 400, 400],
  [[], 400, 400],
  [undefined, 400, 400],
  [{ iss: ISSUER }, 400, 400],
]

describe('strict_assertion_audience (draft-ietf-oauth-rfc7523bis §4)', () => {
  it.each(audiences)('%j: strict %i, usual %i', async (aud, strict, usual) => {
    const made = bankLab({ ...service, strict_assertion_audience: true })
    const refused = await ask(made, aud)
    expect(refused.status).toBe(strict)
    if (strict === 400) {
      expectError(refused, 400, 'invalid_client')
      expect(made.events.at(-1)).toMatchObject({ rule: 'draft-ietf-oauth-rfc7523bis §4' })
    }
    expect((await ask(bankLab(service), aud)).status).toBe(usual)
  })

  it('refuses the called endpoint, which the usual check accepts', async () => {
    const aud = { claims: { aud: `${ISSUER}/par` } }
    expect((await bankLab().push({}, [], aud)).status).toBe(201)
    expectError(await bankLab({ strict_assertion_audience: true }).push({}, [], aud), 400, 'invalid_client')
  })
})
