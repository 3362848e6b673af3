import { describe, expect, it } from 'vitest'
import { stepToken } from '../../../src/flows/answers/verify-tokens.js'
import { withCertificateChecks } from '../../../src/flows/middleware/client-middleware.js'
import type { FlowRecord, Step } from '../../../src/flows/step.js'
import { advice, check } from '../../../src/protocol/oauth/check.js'
import { signJwt } from '../../../src/protocol/tokens/keys.js'
import { madeStep } from '../support/made-step.js'
import { signingKey } from '../support/world.js'

const OURS = 'A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0'
const good = check('iss', true, 'RFC 9068 §4', 'ok')

async function checked(...records: readonly FlowRecord[]): Promise<FlowRecord[]> {
  async function* all() {
    yield* records
  }
  const seen: FlowRecord[] = []
  for await (const record of withCertificateChecks(all(), OURS)) seen.push(record)
  return seen
}

const issued = (value: string, kind: 'access_token' | 'id_token' = 'access_token'): Step =>
  madeStep('token_request', { token: stepToken(kind, value), checks: [good] })

describe('the check of a token that is bound to a certificate (RFC 8705 §3.1)', () => {
  it.each<[string, object, boolean, string]>([
    ['ours', { cnf: { 'x5t#S256': OURS } }, true, `the token names our certificate, x5t#S256 ${OURS}`],
    [
      'another certificate',
      { cnf: { 'x5t#S256': 'other' } },
      false,
      `the token names another certificate: other; ours is ${OURS}`,
    ],
    ['no cnf', {}, true, `the token is bound to no certificate; ours is x5t#S256 ${OURS}`],
    ['a key', { cnf: { jkt: OURS } }, true, `the token is bound to no certificate; ours is x5t#S256 ${OURS}`],
  ])('with %s', async (_name, claims, ok, detail) => {
    const [step] = await checked(issued(await signJwt({ sub: 'alice', ...claims }, signingKey)))
    expect(step).toMatchObject({ checks: [good, advice('cnf', ok, 'RFC 8705 §3.1', detail)] })
  })

  it('comes alone to a step without checks', async () => {
    const value = await signJwt({ cnf: { 'x5t#S256': OURS } }, signingKey)
    const [step] = await checked(madeStep('token_request', { token: stepToken('access_token', value) }))
    expect(step).toMatchObject({ checks: [{ name: 'cnf', ok: true }] })
  })

  it('leaves every other record as it is', async () => {
    const records: FlowRecord[] = [
      madeStep('authorization_request'),
      issued('an-opaque-token'),
      issued(await signJwt({ cnf: { 'x5t#S256': 'other' } }, signingKey), 'id_token'),
      { type: 'outcome', outcome: 'granted' },
    ]
    expect(await checked(...records)).toEqual(records)
  })
})
