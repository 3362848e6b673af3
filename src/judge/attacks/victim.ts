import type { PlannedStep, Step } from '../../flows/step.js'
import { planned } from './model.js'
import { authorizationUrl, authorize } from './moves.js'
import type { Scene } from './scene.js'

/** The client of the lab by which the victim keeps a record before the attack, and logs in. */
export const HONEST_CLIENT = 'demo'

/** The step in which the victim logs in before the attack. */
export const HONEST_LOGIN: PlannedStep = planned(
  'honest_login',
  ['user_agent', 'authorization_server'],
  'GET /authorization',
  '6749 §4.1.1',
  'Alice logs in for an application that she trusts. Her browser keeps the session at the authorization server.',
)

/** Logs the victim in, for a client of the lab. The code goes to the client's own address. */
export async function* honestLogin(scene: Scene): AsyncGenerator<Step, void, void> {
  const url = authorizationUrl(scene, {
    ...{ response_type: 'code', client_id: HONEST_CLIENT, redirect_uri: scene.callback },
    ...{ scope: 'records:read', state: Buffer.from(scene.random(16)).toString('base64url') },
  })
  const { victim, accounts } = scene
  yield* authorize(scene, url, {
    browser: victim,
    account: accounts.victim,
    names: ['honest_login', 'honest_login'],
  })
}
