import { type Finding, finding, type Judge } from '../finding.js'
import type { Message } from '../message.js'

/** A person who mistypes a password and then logs in has lost nothing. */
function judgeMessage(message: Message, later: readonly Message[]): Finding[] {
  const { entry, report } = message.recorded
  const wentOn =
    message.kind === 'login' && later.some(({ answer, kind }) => answer || kind === 'token_request')
  return (report?.findings ?? []).map(each => ({
    ...each,
    ...(wentOn && each.severity === 'fault' && { severity: 'remark' as const }),
    entry,
  }))
}

/** A code that never came back, where the server that issued it would have seen its token request. */
function judgeUnredeemed(messages: readonly Message[]): Finding[] {
  const issuing = messages.findLast(({ answer }) => answer?.isPartial && answer.fields.has('code'))
  const isExplained = messages.some(
    ({ kind, recorded }) =>
      kind === 'token_request' || recorded.report?.findings.some(({ severity }) => severity === 'fault'),
  )
  if (issuing === undefined || isExplained) return []
  const text = 'the code was not redeemed: no token request of the client came before the recording ended'
  const next =
    'look into the log of the client: it may have refused the callback, as for its state or its iss'
  return [finding('remark', 'code-unredeemed', 'RFC 6749 §4.1.3', issuing, text, next)]
}

/** Takes over the refusals and remarks of the server itself, where a recording has its report. */
export const judgeReported: Judge = ({ messages }) => [
  ...messages.flatMap((message, i) => judgeMessage(message, messages.slice(i + 1))),
  ...judgeUnredeemed(messages),
]
