import { UsageError } from '../../protocol/errors.js'
import { UnreadableAnswer } from '../../protocol/oauth/answers.js'
import type { Check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { explainMembers } from '../../protocol/tokens/explain.js'
import type { JsonObject } from '../../protocol/values.js'
import { asClient, type EndpointClient, type EndpointOptions } from '../../session/client/endpoint-client.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { checkSection, section } from '../../show/render/tokens/jwt-lines.js'
import { givenToken } from '../jose/jwt-input.js'
import { narrate, printJson, terminalColumns } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { reportError } from '../program/report-error.js'

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

/** Flags of the commands that send a token to an endpoint. */
export type EndpointFlags = EndpointOptions

const HINTS = ['Give it as an argument, or in a pipe:  oauth-lab flow code -o token | oauth-lab introspect']

/** Reads the token that a command is about. @throws UsageError */
export async function tokenArgument(
  argument: string | undefined,
  { clientSecretStdin }: Pick<EndpointFlags, 'clientSecretStdin'>,
): Promise<string> {
  if (clientSecretStdin && (argument === undefined || argument === '-')) {
    throw new UsageError('--client-secret-stdin and the token both read stdin', [
      'Use --client-secret-file, or OAUTH_LAB_CLIENT_SECRET',
    ])
  }
  const token = await givenToken(argument, { hints: HINTS })
  if (/\p{Cc}/u.test(token)) {
    throw new UsageError('the token holds a control character: that is no token (RFC 6750 §2.1)')
  }
  return token
}

/** The members of an answer, with the meaning that they have in tokens, and the checks of the answer. */
export function memberLines(
  title: string,
  { members, checks }: { readonly members: JsonObject; readonly checks: readonly Check[] },
  globals: Pick<Globals, 'ascii'>,
  now: number,
  areClaims = true,
): string[] {
  const text = { now, signs: signsFor(globals), width, columns: terminalColumns() }
  const { claims } = explainMembers(members)
  const rows = areClaims ? claims : claims.map(each => ({ ...each, meaning: '' }))
  return [
    ...section(title, rows, text),
    ...(checks.length === 0 ? [] : ['', ...checkSection('Checks', checks, text)]),
  ]
}

/** The dates among the members, for JSON: name to ISO 8601. */
export function datesIn(members: JsonObject): Readonly<Record<string, string>> {
  const { claims } = explainMembers(members)
  return Object.fromEntries(claims.flatMap(({ name, time }) => (time === undefined ? [] : [[name, time]])))
}
