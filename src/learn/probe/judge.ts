import type { ProbeReport, ProbeRun } from '../model.js'
import { SENTENCES } from './sentences.js'

const count = (runs: readonly ProbeRun[]): string => (runs.length === 1 ? 'run' : 'runs')

/** @returns `passed`, or the sentence that says what the client did wrong */
export function judgeProbe({ probe, runs, failed }: ProbeReport): string {
  if (failed !== undefined) return failed
  const { done, unchecked, unfinished, sends } = SENTENCES[probe]
  const right = runs.filter(run => run.wrong === undefined)
  const wrong = runs.filter(run => run.wrong !== undefined)
  const refused = right.filter(run => !run.finished)
  const fooled = wrong.filter(run => run.finished)
  if (refused.length === right.length && fooled.length === 0) {
    return (
      unfinished ??
      'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.'
    )
  }
  if (unfinished !== undefined && refused.length === right.length) return unfinished
  if (refused.length > 0) {
    return `Your client refused ${refused.length} right ${count(refused)}. It must finish a login that answers its own request.`
  }
  if (sends !== undefined) {
    const sent = right.map(run => run.expected)
    if (sent.every(each => each === '')) return sends.nothing
    if (sends.constant !== undefined && new Set(sent).size < sent.length) return sends.constant
  }
  if (fooled.length === 0) return 'passed'
  if (fooled.length === wrong.length) {
    return `Your client ${done} in all ${wrong.length} wrong runs. ${unchecked}`
  }
  // In any order of runs the same attempt gets the same sentence.
  const lies = fooled
    .map(({ wrong: lie = '' }) => lie)
    .sort()
    .join('; ')
  return `Your client ${done} in ${fooled.length} of ${wrong.length} wrong runs: ${lies}.`
}
