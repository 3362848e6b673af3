import { REFERENCE_DIFFERENCES } from '../authorization-server/reference/differences.js'
import { type Difference, STAGES } from '../authorization-server/stages/stages.js'
import type { LabConfig } from '../lab/config.js'
import { wrap } from '../render/text.js'
import { print, printJson, terminalColumns } from './output.js'

/** Columns of the text where the terminal has room for more, and of the words before it. */
const WIDTH = 88
const INDENT = 15

function lines(differences: readonly Difference[], width: number): string[] {
  const said = (word: string, text: string) => {
    const [first = '', ...more] = wrap(text, width - INDENT)
    return [`    ${word.padEnd(INDENT - 4)}${first}`, ...more.map(line => ' '.repeat(INDENT) + line)]
  }
  return differences.flatMap(({ point, here, otherwise, why }) => [
    '',
    ...wrap(point, width - 2).map(line => `  ${line}`),
    ...said('here', here),
    ...said('otherwise', otherwise),
    ...said('why', why),
  ])
}

/** Prints what a stage and a profile do otherwise than the complete, standard server, and why. */
export function explainMode({ stage, profile }: LabConfig, json: boolean): void {
  const ofStage = STAGES[stage].differences
  const ofProfile = profile === 'reference' ? REFERENCE_DIFFERENCES : []
  if (json) {
    printJson({ stage, profile, differences: [...ofStage, ...ofProfile] })
    return
  }
  // The last column stays empty: terminals differ in what they do with it.
  const width = Math.min(WIDTH, (terminalColumns() ?? Number.POSITIVE_INFINITY) - 1)
  const stageTitle =
    ofStage.length === 0
      ? `The stage ${stage} is the complete server: it leaves nothing out.`
      : `The stage ${stage} does otherwise than the complete server (published-keys):`
  const profileTitle =
    ofProfile.length === 0
      ? 'The profile standard follows the RFCs.'
      : 'The profile reference does otherwise than the profile standard, on this machine only:'
  print(
    ...wrap(stageTitle, width),
    ...lines(ofStage, width),
    '',
    ...wrap(profileTitle, width),
    ...lines(ofProfile, width),
  )
}
