import type { LabConfig } from '../../lab/lab-file/config.js'
import { weakModes } from '../../protocol/rules/weak-modes.js'
import { profileDifferences, serverProfile } from '../../servers/authorization-server/profiles/profiles.js'
import { REFERENCE_DIFFERENCES } from '../../servers/authorization-server/reference/differences.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import { modeLines } from '../../show/render/doctor/difference-lines.js'
import { weakLines } from '../../show/render/weak-lines.js'
import { print, printJson, terminalColumns } from '../output/output.js'

/** Widest text, in columns. */
const WIDTH = 88

/** Prints how a stage, a profile and weak modes depart from the complete, standard server, and why. */
export function explainMode({ stage, profile, weak }: LabConfig, json: boolean): void {
  const modes = weakModes(weak)
  const ofStage = STAGES[stage].differences
  const demanded = serverProfile(profile)
  const ofProfile =
    profile === 'reference' ? REFERENCE_DIFFERENCES : demanded ? profileDifferences(demanded) : []
  if (json) {
    const explained = { stage, profile, differences: [...ofStage, ...ofProfile] }
    printJson(modes.length === 0 ? explained : { ...explained, weak: modes })
    return
  }
  // The last column stays empty: terminals differ in how they treat it.
  const width = Math.min(WIDTH, (terminalColumns() ?? Number.POSITIVE_INFINITY) - 1)
  print(...modeLines({ stage, profile, ofStage, ofProfile }, width))
  if (modes.length > 0) print('', 'WEAK on purpose, on this machine only:', '', ...weakLines(modes, width))
}
