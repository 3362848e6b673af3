import type { ProbeReport, ProbeRun } from '../model.js'

const count = (runs: readonly ProbeRun[]): string => (runs.length === 1 ? 'run' : 'runs')

/**
 * Judges the runs of a probe.
 * @returns `passed`, or the sentence that says what the client did wrong
 */
export function judgeProbe({ probe, runs, failed }: ProbeReport): string {
  if (failed !== undefined) return failed
  const right = runs.filter(run => run.wrong === undefined)
  const wrong = runs.filter(run => run.wrong !== undefined)
  const refused = right.filter(run => !run.finished)
  const fooled = wrong.filter(run => run.finished)
  if (refused.length === right.length && fooled.length === 0) {
    return 'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.'
  }
  if (refused.length > 0) {
    return `Your client refused ${refused.length} right ${count(refused)}. It must finish a login that answers its own request.`
  }
  if (probe === 'state') {
    const sent = right.map(run => run.expected)
    if (sent.every(each => each === ''))
      return 'Your client sends no state, so it takes the login of somebody else for its own.'
    if (new Set(sent).size < sent.length) {
      return 'Your client sends the same state every time. An attacker reads it once and knows it for ever.'
    }
  }
  if (fooled.length === 0) return 'passed'
  if (fooled.length === wrong.length) {
    return `Your client redeemed the code in all ${wrong.length} wrong runs. Its ${probe} is ${probe === 'state' ? 'sent, but ' : ''}not compared.`
  }
  const lies = fooled.map(run => run.wrong).join(', ')
  return `Your client redeemed the code in ${fooled.length} of ${wrong.length} wrong runs: ${lies}.`
}
