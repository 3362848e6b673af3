import { UsageError } from '../../protocol/errors.js'
import {
  cardJson,
  readServiceAccountToken,
  timeline,
} from '../../servers/kubernetes/client/service-account-token.js'
import { tokenCardLines } from '../../show/render/kubernetes/token-card.js'
import { width } from '../../show/render/text/text.js'
import { decodeGiven } from '../jose/jwt-input.js'
import { print, terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { type ClusterFlags, printResult, type Run, readRun } from './options.js'
import { readToken } from './token-input.js'

function cardLines(text: string, { signs }: Run, now: number): string[] {
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const card = { jwt, account: token && { token, moments: timeline(token) } }
  return tokenCardLines(card, { now, signs, width, columns: terminalColumns() })
}

/**
 * Prints a token as a card: its account, audiences and life, then its claims as those of every token.
 * @param now milliseconds since the epoch
 * @throws UsageError for a text that is no JWT
 */
export async function printCard(text: string, run: Run, now: number): Promise<void> {
  print(...cardLines(text, run, now))
}

/** `oauth-lab k8s inspect`: takes a token apart, offline. */
export async function inspectToken(
  argument: string | undefined,
  flags: Pick<ClusterFlags, 'output'>,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const text = await readToken(argument)
  if (text.split('.').length === 1) {
    throw new UsageError('this is no JWT but an opaque or static token: it says nothing about itself', [
      'Ask the cluster:   oauth-lab k8s review -',
    ])
  }
  const now = Date.now()
  await printResult(run, cardJson(decodeGiven(text), now), () => cardLines(text, run, now))
}
