import type { Outcome, PlannedStep, Step } from '../flows/step.js'
import { nextMove } from './next-move.js'
import { tamperEnding } from './tamper-ending.js'
import { makeSafe } from './text.js'
import { summarize } from './token-summary.js'

const count = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US')} ${unit}${value === 1 ? '' : 's'}`

/** A length of time in whole words: `59 minutes 56 seconds`. Takes milliseconds. */
export function spokenDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const
  const told = parts.filter(([value]) => value > 0).slice(0, 2)
  return told.length === 0 ? '0 seconds' : told.map(([value, unit]) => count(value, unit)).join(' ')
}

/** The announcement of a flow, once at the beginning. */
export function introduction(flow: string, clientId: string, plan: readonly PlannedStep[]): string {
  return `Flow: ${flow}. Client: ${makeSafe(clientId)}. ${count(plan.length, 'step')}.`
}

/** The step that comes next, before it happens. */
export function announcement(planned: PlannedStep, n: number, of: number): string {
  return `Step ${n} of ${of}. Next: ${planned.why} ${makeSafe(planned.title)}.`
}

/** The prompt after an announcement. */
export const PROMPT = 'Press Enter to send, q to quit: '

function answerOf({ exchange }: Step): string[] {
  if (!exchange?.response) return []
  const { response, wireBytes, ms } = exchange
  return [
    `Answer ${response.status}, ${count(wireBytes.response, 'byte')}, ${count(Math.round(ms), 'millisecond')}.`,
  ]
}

function checksOf({ checks = [], token, tokens = [] }: Step): string[] {
  const all = [...checks, ...(token?.checks ?? []), ...tokens.flatMap(each => each.checks)]
  const failed = all.filter(({ ok }) => !ok)
  if (failed.length === 0) return all.length === 0 ? [] : [`${count(all.length, 'check')} passed.`]
  return failed.map(({ name, detail, rule, advice }) => {
    const what = advice ? `Check ${name}` : `Check ${name} failed`
    return makeSafe(`${what}${detail === undefined ? '' : `: ${detail}`}. Rule: ${rule}.`)
  })
}

/** A step that happened. */
export function report(step: Step): string {
  const note = step.note === undefined ? [] : [`${makeSafe(step.note)}.`]
  return [
    `Step ${step.n} of ${step.of}, done.`,
    step.why,
    ...answerOf(step),
    ...note,
    ...checksOf(step),
  ].join(' ')
}

/** How the flow ended. `now`: milliseconds since the epoch. */
export function conclusion(ended: Outcome, clientId: string, now: number): string[] {
  const { outcome, error, tokens } = ended
  const tampered = tamperEnding(ended)
  if (tampered && ended.tamper?.found !== undefined) {
    return [
      makeSafe(`${tampered.good ? 'Refused' : 'Fault'}: ${tampered.text}.`),
      ...(tampered.said === undefined ? [] : [makeSafe(`The answer said: ${tampered.said}.`)]),
      ...(error?.rule === undefined ? [] : [`Rule: ${makeSafe(error.rule)}.`]),
    ]
  }
  if (outcome !== 'granted') {
    const next = nextMove(error?.error ?? '', error?.rule)
    return [
      makeSafe(
        `${outcome === 'refused' ? 'Refused' : 'Failed'}: ${error?.error}. ${error?.error_description}.`,
      ),
      ...(error?.rule === undefined ? [] : [`Rule: ${makeSafe(error.rule)}.`]),
      ...(next === undefined ? [] : [`Next: ${next}.`]),
    ]
  }
  const { subject, expires } = tokens ? summarize(tokens) : {}
  const whose = subject === undefined ? '' : ` for ${subject},`
  const valid = expires === undefined ? '' : ` Valid for ${spokenDuration(expires - now)}.`
  return [makeSafe(`Granted. Access token${whose} for client ${clientId}.${valid}`)]
}
