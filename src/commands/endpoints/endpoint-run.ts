import { UnreadableAnswer } from '../../protocol/oauth/answers.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { asClient, type EndpointClient, type EndpointOptions } from '../../session/client/endpoint-client.js'
import { narrate, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { reportError } from '../program/report-error.js'
import { untilSignal } from '../program/signals.js'

/** Does work as a client of a server, until a signal ends it. A refusal is a result, in JSON too. */
export function atServer(
  options: EndpointOptions,
  globals: Globals,
  work: (client: EndpointClient) => Promise<number>,
  hasAuthorizationRequest = false,
): Promise<number> {
  return untilSignal(signal => {
    const world = { lab: globals, narrate, env: process.env, signal }
    return withRefusals(globals, () => asClient(options, world, work, hasAuthorizationRequest))
  })
}

/** Reports a refusal as an object on stdout with `--json`, and on stderr without. */
export async function withRefusals(
  { json }: Pick<Globals, 'json'>,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    if (json) {
      printJson({ error: error.code, error_description: error.description, rule: error.rule })
    } else await reportError(error)
    return error instanceof UnreadableAnswer ? EXIT.transport : EXIT.refused
  }
}

/** Reminds that a lab of this command alone knows no token of another one. */
export function noteEmbedded({ target }: Pick<EndpointClient, 'target'>): void {
  if (target.lab?.embedded === undefined) return
  narrate(
    'That lab ends with this command, and knows no token of another one. Start one that stays:  oauth-lab serve',
  )
}
