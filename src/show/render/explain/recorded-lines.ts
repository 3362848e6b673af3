import type { Step } from '../../../flows/step.js'
import type { Message } from '../../../judge/explain/message.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { messagesOf } from '../steps/sequence.js'
import { signsFor } from '../text/signs.js'

/** Longest half of a live line, in characters. */
const LONGEST = 90

/** How live lines of a recording are written. */
export interface RecordedView {
  readonly showSecrets: boolean
  readonly ascii: boolean
}

/** A recorded exchange as one line for people: the host, the request, the answer. */
export function recordedLine(step: Step, { showSecrets, ascii }: RecordedView): string {
  const signs = signsFor({ ascii })
  const masking = showSecrets ? 'none' : 'all'
  const [request, answer] = messagesOf({ n: step.n, planned: step, step, status: 'done' }, masking)
  const url = step.exchange?.request.url ?? step.url ?? ''
  const host = splitUrl(url).origin.replace(/^https?:\/\//, '')
  const half = (label: string) =>
    label.length > LONGEST ? `${label.slice(0, LONGEST)}${signs.ellipsis}` : label
  const reply = answer === undefined || answer.label === '' ? '' : ` ${signs.to} ${half(answer.label)}`
  return makeSafe(`${host}  ${half(request?.label ?? '')}${reply}`, { ascii })
}

/** A recorded exchange as a line of JSON. */
export function recordedJson({ kind, recorded }: Message, side: string, showSecrets: boolean): object {
  const { request, response, at, ms } = showSecrets
    ? recorded.exchange
    : maskExchange(recorded.exchange, 'all')
  return { type: 'exchange', name: kind, side, at, ms, request, response }
}
