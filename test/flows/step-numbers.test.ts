import { describe, expect, it } from 'vitest'
import type { UserAgent, Visit } from '../../src/client/user-agent.js'
import { type Flow, type FlowName, flows } from '../../src/flows/flows.js'
import type { FlowOptions } from '../../src/flows/options.js'
import { opened, openedPlan } from '../../src/flows/plans/opening.js'
import type { FlowRecord, PlannedStep } from '../../src/flows/step.js'
import { moves, whyNotHere } from '../../src/judge/tamper/moves.js'
import { tamperedPlan } from '../../src/judge/tamper/plan.js'
import { shapeOf } from '../../src/judge/tamper/shape.js'
import { tamperedFlow } from '../../src/judge/tamper/tampered-flow.js'
import type { Client } from '../../src/protocol/oauth/client.js'
import { numbered } from '../../src/session/playback/recording.js'
import { situationOf, tamperPorts } from '../judge/tamper/support.js'
import { assertionIssuers, everything, sources } from './support/everything.js'
import { expectListed, expectNumbers, expectPrinted } from './support/step-numbers.js'
import { collect, login, outcomeIn, RESOURCE, stepsOf, world } from './support/world.js'

const client: Client = { ...everything, client_secret: 'x'.repeat(32) }
const { client_secret: _, ...spa } = { ...client, client_id: 'spa' }
const names = Object.keys(flows) as FlowName[]

function held(records: readonly FlowRecord[], plan: readonly PlannedStep[], what?: string) {
  expectNumbers(records, plan, what)
  expectListed(records, plan, what)
  expectPrinted(records, what)
}

const here = (wanted: Partial<FlowOptions> = {}, password = 'wonderland') =>
  world({
    client,
    otherClients: [spa],
    assertionIssuers,
    scope: 'openid',
    askLogin: login(['alice', password]),
    wanted: {
      clientSecret: 'x'.repeat(32),
      resource: `${RESOURCE}/resource`,
      assertion: sources.jwt,
      ...wanted,
    },
  })

/** Options that make flows longer, or end them early. */
const ways: readonly (readonly [string, Partial<FlowOptions>, password?: string])[] = [
  ['as usual', {}],
  ['with a wrong password', {}, 'wrong'],
  ['without a login', { authorizationParameters: [['prompt', 'none']] }],
  ['with a pushed request', { push: true }],
  ['with a request object', { requestObject: { kind: 'signed', secret: 'x'.repeat(32) } }],
  ['with a scope that nobody knows', { scope: 'nothing' }],
  ['with an address that nobody registered', { redirectUri: 'http://127.0.0.1:7000/elsewhere' }],
]

describe('the numbers of steps do not skip', () => {
  const runs = names.flatMap(name => ways.map(([way, wanted, password]) => ({ name, way, wanted, password })))
  it.each(runs)('in flow $name $way', async ({ name, wanted, password }) => {
    const { ports, wanted: options } = await here(wanted, password)
    const flow: Flow = flows[name]
    held(await collect(flow.run(ports, options)), flow.plan(options))
  })

  it.each(names)('in flow %s with any wrong move', async name => {
    const flow: Flow = flows[name]
    let made = 0
    for (const move of moves) {
      const at = await here()
      const { wanted, ports } = at
      const companion = { clientId: 'spa', auth: 'none' } as const
      const situation = situationOf(wanted, {
        flow: shapeOf(name, wanted),
        other: companion,
        publicClient: companion,
        knownScopes: ['openid', 'profile'],
        presentAt: wanted.resource ?? '',
        resourceServer: true,
      })
      if (whyNotHere(move, situation) !== undefined) continue
      const target = {
        plan: flow.plan,
        run: (own: object, of: FlowOptions) => flow.run({ ...ports, ...own }, of),
      }
      const records = await collect(tamperedFlow(tamperPorts(at), wanted, move, situation, target))
      held(records, tamperedPlan(flow.plan(wanted), move, situation), move.name)
      made += 1
    }
    expect(made).toBeGreaterThan(3)
  })

  it('after steps that were needed to make the plan', async () => {
    const { ports, wanted } = await here({ authorizationParameters: [['prompt', 'none']] })
    const records = await collect(flows.code.run(ports, wanted))
    const [first] = stepsOf(records)
    const opening = [{ ...first!, name: 'discovery_request' as const, n: 1, of: 1 }]
    const plan = flows.code.plan(wanted)
    const all = async function* () {
      yield* records
    }
    held(await collect(opened(opening, plan.length, all())), openedPlan(opening, plan))
  })

  it('in a login that the browser needs no page for, where all steps but that one happen', async () => {
    const whole = await here()
    const records = await collect(flows.code.run(whole.ports, whole.wanted))
    const { ports, wanted } = await here()
    const userAgent: UserAgent = { authorize: task => withoutLogin(ports.userAgent.authorize(task)) }
    const again = await collect(flows.code.run({ ...ports, userAgent }, wanted))
    expect(outcomeIn(again).outcome).toBe('granted')
    const last = stepsOf(again).at(-1)
    expect(last?.n).toBe((stepsOf(records).at(-1)?.n ?? 0) - 1)
    expect(last?.of).toBe(last?.n)
    held(again, flows.code.plan(wanted))
  })

  it('in a step-up that the session answers without a page, which counts from 1 again', async () => {
    const { ports, wanted } = await world({ scope: 'openid', wanted: { resource: `${RESOURCE}/vault` } })
    const userAgent: UserAgent = {
      authorize: task => {
        const visits = ports.userAgent.authorize(task)
        return task.again ? withoutLogin(visits) : visits
      },
    }
    const records = await collect(flows.code.run({ ...ports, userAgent }, wanted))
    expect(outcomeIn(records).outcome).toBe('granted')
    const steps = stepsOf(records)
    const challenged = steps.findIndex(({ name }) => name === 'resource_request')
    const plan = flows.code.plan(wanted)
    expectNumbers(steps.slice(0, challenged + 1), plan)
    const second = steps.slice(challenged + 1)
    expect(second.map(({ name }) => name)).not.toContain('login')
    expect(second.map(({ n }) => n)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6]))
    const ended = records.filter(({ type }) => type === 'outcome')
    expectNumbers([...second, ...ended], plan)
  })

  it('in a recording, which may have been made when they did', async () => {
    const { ports, wanted } = await here({ authorizationParameters: [['prompt', 'none']] })
    const records = await collect(flows.code.run(ports, wanted))
    const old = records.map(record =>
      record.type === 'step' ? { ...record, n: record.n > 2 ? record.n + 1 : record.n, of: 9 } : record,
    )
    const plan = stepsOf(records)
    const replayed = numbered(old, plan)
    expect(stepsOf(replayed).map(({ n, of }) => [n, of])).toEqual(plan.map((_, i) => [i + 1, plan.length]))
    held(replayed, plan)
  })
})

async function* withoutLogin(visits: AsyncIterable<Visit>): AsyncGenerator<Visit, void, void> {
  for await (const visit of visits) if (visit.name !== 'login') yield visit
}
