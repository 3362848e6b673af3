import { createHeadlessVerifier } from '../../../src/client/device-headless.js'
import { createHeadlessAgent } from '../../../src/client/headless.js'
import { flows } from '../../../src/flows/flows.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { FlowRecord } from '../../../src/flows/step.js'
import type { DoctorPorts } from '../../../src/judge/doctor/ports.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import { collect, login, REDIRECT_URI, type World } from '../../flows/support/world.js'
import { move } from './named-move.js'

/** The situation of a flow in the test world. */
export function situationOf(wanted: FlowOptions, more: Partial<Situation> = {}): Situation {
  const { metadata, clientId, clientSecret, auth } = wanted
  return {
    client: { clientId, auth, ...(clientSecret !== undefined && { clientSecret }) },
    redirectUri: REDIRECT_URI,
    credentials: { username: 'alice', password: 'wonderland' },
    secondUser: 'bob',
    pkce: wanted.pkce,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: true,
    responseTypes: ['code'],
    resourceServer: false,
    ...(metadata.userinfo_endpoint !== undefined && { presentAt: metadata.userinfo_endpoint }),
    ...more,
  }
}

/** The ports of a world, for a tampered flow. */
export function tamperPorts({ ports, callback }: World): DoctorPorts {
  const { send, now, random, signal, wait } = ports
  return {
    send,
    now,
    random,
    signal,
    agentWith: through =>
      createHeadlessAgent({ send: through, askLogin: login(['alice', 'wonderland']), callback }),
    secondAgentWith: through =>
      createHeadlessAgent({ send: through, askLogin: login(['bob', 'builder']), callback }),
    verifierWith: through =>
      createHeadlessVerifier({ send: through, askLogin: login(['alice', 'wonderland']) }),
    wait,
  }
}

/** Runs a flow with a wrong move in it. */
export function runTampered(
  world: World,
  name: string,
  more: Partial<Situation> = {},
): Promise<FlowRecord[]> {
  const { wanted } = world
  return collect(tamperedFlow(tamperPorts(world), wanted, move(name), situationOf(wanted, more), flows.code))
}
