import { describe, expect, it } from 'vitest'
import { flows } from '../../../src/flows/flows.js'
import { withValue } from '../../../src/judge/tamper/messages.js'
import { atEndpoint, tokenTable } from '../../../src/judge/tamper/move.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import { collect, outcomeIn, stepsOf, type Tamper, world } from '../../flows/support/world.js'
import { situationOf, tamperPorts } from './support.js'

/** A wrong move as CONTRIBUTING.md describes one: a row of a table, which knows nothing of flows and servers. */
const [shouted] = tokenTable({ grants: ['code'], expects: [atEndpoint('unsupported_grant_type')] }, [
  {
    name: 'shouted-grant-type',
    does: 'writes the grant_type in capitals',
    risk: 'two spellings of a grant get two different checks',
    rule: 'RFC 6749 §5.2',
    pairs: pairs => withValue(pairs, 'grant_type', name => name.toUpperCase()),
  },
])

async function run(tamper?: Tamper) {
  const here = await world({ scope: 'openid', ...(tamper && { tamper }) })
  const { wanted } = here
  return collect(tamperedFlow(tamperPorts(here), wanted, shouted!, situationOf(wanted), flows.code))
}

describe('a new wrong move', () => {
  it('is made in the flow, and its refusal is judged by its row', async () => {
    const records = await run()
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      expected: true,
      tamper: { move: 'shouted-grant-type' },
      error: { error: 'unsupported_grant_type', rule: 'RFC 6749 §5.2' },
    })
    const sent = stepsOf(records).find(({ name }) => name === 'token_request')
    expect(sent?.exchange?.request.body).toContain('grant_type=AUTHORIZATION_CODE')
  })

  it('shows the fault of a server that takes it', async () => {
    const records = await run((request, answer) =>
      request.url.endsWith('/token') && answer.status === 400
        ? { ...answer, status: 200, body: Buffer.from('{"access_token":"at","token_type":"Bearer"}') }
        : undefined,
    )
    expect(outcomeIn(records)).toMatchObject({ expected: false, tamper: { move: 'shouted-grant-type' } })
  })

  it('is judged wrong by a refusal of another kind', async () => {
    const records = await run((request, answer) =>
      request.url.endsWith('/token') && answer.status === 400
        ? { ...answer, body: Buffer.from('{"error":"invalid_scope"}') }
        : undefined,
    )
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', expected: false })
  })
})
