import { REFERENCE_DIFFERENCES } from '../authorization-server/reference/differences.js'
import { STAGES } from '../authorization-server/stages/stages.js'
import type { LabConfig } from '../lab/config.js'
import { modeLines } from '../render/difference-lines.js'
import { print, printJson, terminalColumns } from './output.js'

/** Widest text, in columns. */
const WIDTH = 88

/** Prints how a stage and a profile depart from the complete, standard server, and why. */
export function explainMode({ stage, profile }: LabConfig, json: boolean): void {
  const ofStage = STAGES[stage].differences
  const ofProfile = profile === 'reference' ? REFERENCE_DIFFERENCES : []
  if (json) {
    printJson({ stage, profile, differences: [...ofStage, ...ofProfile] })
    return
  }
  // The last column stays empty: terminals differ in how they treat it.
  const width = Math.min(WIDTH, (terminalColumns() ?? Number.POSITIVE_INFINITY) - 1)
  print(...modeLines(stage, { ofStage, ofProfile }, width))
}
