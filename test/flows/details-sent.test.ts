import { expect, it } from 'vitest'
import { type FlowName, flows } from '../../src/flows/flows.js'
import type { FlowOptions } from '../../src/flows/options.js'
import type { StepName } from '../../src/flows/step.js'
import { parseForm } from '../../src/protocol/http/form.js'
import { everything } from './support/everything.js'
import { collect, outcomeIn, stepOf, world } from './support/world.js'

const details = [{ type: 'payment', actions: ['initiate'] }]
const flowsWithDetails: readonly [FlowName, StepName][] = [
  ['code', 'authorization_request'],
  ['hybrid', 'authorization_request'],
  ['device', 'device_authorization_request'],
  ['client-credentials', 'token_request'],
]

/** The parameters of the request that asks for access, and the checks of the granted details. */
async function asked(name: FlowName, step: StepName, wanted: Partial<FlowOptions>) {
  const types = { payment: { description: 'Start a payment' } }
  const scope = name === 'client-credentials' ? 'records:read' : 'openid'
  const at = await world({ client: everything, scope, wanted, detailTypes: types })
  const records = await collect(flows[name].run(at.ports, at.wanted))
  expect(outcomeIn(records).outcome).toBe('granted')
  const { url, exchange } = stepOf(records, step)
  // The url of a device authorization request is the address that the person opens.
  const pairs =
    exchange === undefined ? [...new URL(url ?? '').searchParams] : parseForm(exchange.request.body)
  const checks = (stepOf(records, 'token_request').checks ?? []).filter(
    each => each.name === 'authorization_details',
  )
  return { sent: pairs.flatMap(([name, value]) => (name === 'authorization_details' ? [value] : [])), checks }
}

it.each(flowsWithDetails)(
  'flow %s asks for authorization details in its %s (RFC 9396 §2)',
  async (name, step) => {
    const { sent, checks } = await asked(name, step, { authorizationDetails: details })
    expect(sent).toEqual([JSON.stringify(details)])
    expect(checks).toMatchObject([{ ok: true, detail: 'as asked: payment' }])
  },
)

it.each(flowsWithDetails)('flow %s sends none that nobody asked for', async (name, step) => {
  expect(await asked(name, step, {})).toEqual({ sent: [], checks: [] })
})
