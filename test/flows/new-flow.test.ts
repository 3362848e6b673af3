import { describe, expect, it } from 'vitest'
import type { Flow } from '../../src/flows/flows.js'
import type { FlowOptions } from '../../src/flows/options.js'
import { afterwards, type PlanOptions, tokenStep } from '../../src/flows/plans/plan-parts.js'
import type { AllPorts } from '../../src/flows/ports.js'
import { checkTokens } from '../../src/flows/steps/check-step.js'
import { trade } from '../../src/flows/steps/token-step.js'
import { flowOf, type Steps, type Walk } from '../../src/flows/walk.js'
import type { TokenResponse } from '../../src/protocol/oauth/token.js'
import { collect, demo, expectRefused, outcomeIn, stepsOf, world } from './support/world.js'

const plan = (options: PlanOptions) => [
  tokenStep(options, { rfc: '6749 §4.5', why: 'The client trades a voucher for a token.' }),
  ...afterwards(options),
]

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const tokens = yield* trade(walk, wanted, {
    grantType: 'urn:example:grant-type:voucher',
    parameters: [
      ['voucher', 'good'],
      ['scope', wanted.scope],
    ],
  })
  yield* checkTokens(walk, ports, wanted, tokens, { login: false })
  return tokens
}

/** A flow as CONTRIBUTING.md describes one: a plan, and a generator that walks it. */
const voucher: Flow = { title: 'voucher', needs: [], plan, run: flowOf(plan, steps) }

describe('a new flow', () => {
  it('shows the steps of its plan, numbered, and ends with the refusal of the server', async () => {
    const { ports, wanted } = await world({ scope: 'records:read' })
    const records = await collect(voucher.run(ports, wanted))
    const [first] = stepsOf(records)
    expect(first).toMatchObject({
      name: 'token_request',
      n: 1,
      of: voucher.plan(wanted).length,
      why: 'The client trades a voucher for a token.',
    })
    expect(first!.exchange!.request.body).toBe(
      'grant_type=urn%3Aexample%3Agrant-type%3Avoucher&voucher=good&scope=records%3Aread',
    )
    expectRefused(records, 'unsupported_grant_type', 'RFC 6749 §5.2')
  })

  it('ends granted, with its tokens checked, where the server knows the grant', async () => {
    const client = { ...demo, grant_types: [...demo.grant_types, 'client_credentials' as const] }
    const { ports, wanted } = await world({ scope: 'records:read', client })
    // The server of the test knows client credentials, so that grant stands for the voucher on the wire.
    const send: typeof ports.send = (request, options) => {
      const body = Buffer.from(request.body).toString()
      const known = Buffer.from(body.replace('urn%3Aexample%3Agrant-type%3Avoucher', 'client_credentials'))
      return ports.send({ ...request, body: known }, options)
    }
    const records = await collect(voucher.run({ ...ports, send }, wanted))
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepsOf(records).map(({ name, n }) => [name, n])).toEqual([
      ['token_request', 1],
      ['keys_request', 2],
    ])
  })

  it('stops where the person stops it', async () => {
    const { ports, wanted, controller } = await world({ scope: 'records:read' })
    controller.abort()
    expect(outcomeIn(await collect(voucher.run(ports, wanted))).outcome).toBe('failed')
  })
})
