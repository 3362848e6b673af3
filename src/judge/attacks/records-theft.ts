import type { Step, StepName } from '../../flows/step.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { Refusal } from './defence.js'
import { memberOf, recordsRequest } from './moves.js'
import type { Scene } from './scene.js'

/**
 * The last two steps of an attack: the attacker gets a token, and reads the records with it. Returns the refusal of the
 * last answer; undefined when it was not refused.
 * @param request the attacker's token request
 * @param name of the step of the token request
 */
export async function* stealRecords(
  scene: Scene,
  request: HttpRequest,
  name: StepName = 'token_request',
): AsyncGenerator<Step, Refusal | undefined, void> {
  const tokens = await scene.attacker.send(request)
  yield scene.step(name, { exchange: tokens })
  const token = memberOf(tokens, 'access_token')
  return token === undefined ? scene.refusal(tokens) : yield* readRecords(scene, token)
}

/** The last step of an attacker who has a token: reads the records with it. Returns the refusal of the answer, if any. */
export async function* readRecords(
  scene: Scene,
  token: string,
): AsyncGenerator<Step, Refusal | undefined, void> {
  const records = await scene.attacker.send(recordsRequest(scene, token))
  yield scene.step('resource_request', { exchange: records })
  return scene.refusal(records)
}
