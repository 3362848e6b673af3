import type { Command } from 'commander'
import { UsageError } from '../../errors.js'
import { readServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import { timeline } from '../../kubernetes/client/timeline.js'
import { foreign } from '../../render/safe.js'
import { signsFor } from '../../render/signs.js'
import { explainToken } from '../../tokens/explain.js'
import { lintNow } from '../../tokens/lint-now.js'
import { type Globals, readGlobals } from '../globals.js'
import { decodeGiven } from '../jwt-input.js'
import { print, terminalColumns } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { readToken } from './token-input.js'

/** Options of `k8s inspect`. */
export interface InspectFlags {
  readonly output?: OutputForm
}

/** A token as data: what `inspect -o json` prints. */
function cardJson(text: string, now: number): object {
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const explained = explainToken(jwt)
  const { header, claims } = jwt
  return {
    header,
    claims,
    ...(token && {
      service_account: { namespace: token.namespace, ...token.account },
      ...(token.boundTo && { bound_to: token.boundTo }),
      ...(token.node && { node: token.node }),
      audiences: token.audiences,
      timeline: timeline(token).map(({ name, at, meaning }) => ({ name, at: isoTime(at), meaning })),
    }),
    lint: [...explained.lint, ...lintNow(claims, { now, unit: explained.unit })],
    bytes: Buffer.byteLength(text),
  }
}

function isoTime(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

/**
 * Prints a token as a card: whose, for whom, its life, then its claims as every token's are shown.
 * @throws UsageError for what is no JWT
 */
export async function printCard(text: string, globals: Pick<Globals, 'ascii'>, now: number): Promise<void> {
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const explained = explainToken(jwt)
  const signs = signsFor(globals)
  const [{ tokenCard }, { jwtLines }, { width }] = await Promise.all([
    import('../../render/kubernetes/token-card.js'),
    import('../../render/jwt-lines.js'),
    import('../../render/text.js'),
  ])
  const lint = [...explained.lint, ...lintNow(jwt.claims, { now, unit: explained.unit })]
  const { parts } = jwt
  const sizes = `${Buffer.byteLength(text)} bytes: header ${parts[0].length}, claims ${parts[1].length}, signature ${parts[2].length}`
  const notes = [
    sizes,
    'The signature was not verified: oauth-lab k8s review asks the cluster, k8s verify checks it by the keys.',
  ]
  print(
    ...(token
      ? [...tokenCard(token, timeline(token), { now, signs }), '']
      : [
          foreign(
            'This is no service account token: its sub is not system:serviceaccount:NAMESPACE:NAME.',
            signs,
          ),
          '',
        ]),
    ...jwtLines({ explained, lint, notes }, { now, signs, width, columns: terminalColumns() }),
  )
}

/** `oauth-lab k8s inspect`: a token taken apart, offline. */
export async function inspectToken(
  argument: string | undefined,
  flags: InspectFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const text = await readToken(argument)
  if (text.split('.').length === 1) {
    throw new UsageError('this is no JWT but an opaque or static token: it says nothing about itself', [
      'Ask the cluster:   oauth-lab k8s review -',
    ])
  }
  const now = Date.now()
  if (form === 'json' || form === 'yaml') await printObject(form, cardJson(text, now))
  else await printCard(text, globals, now)
}
