import { type HttpRequest, headerValues } from './message.js'

/** Programs that send many requests on purpose, which a lab shows as one. */
export type RunKind = 'attack' | 'doctor' | 'tamper'

/**
 * Returns the User-Agent of one run: `oauth-lab (doctor 1a2b3c4d)`.
 * @param random four bytes, by which the runs of a day differ
 */
export function runAgent(kind: RunKind, random: Uint8Array): string {
  return `oauth-lab (${kind} ${Buffer.from(random).toString('hex')})`
}

/** Returns the run that a request says it belongs to, such as `doctor 1a2b3c4d`. Anyone can send the header: it decides nothing. */
export function runOf(request: HttpRequest): string | undefined {
  const [agent = ''] = headerValues(request, 'user-agent')
  return /^oauth-lab \(((?:attack|doctor|tamper) [0-9a-f]{8})\)$/.exec(agent)?.[1]
}
