import type { Difference } from '../../../servers/authorization-server/stages/stages.js'
import { wrap } from '../text/text.js'

/** Columns before the text of a difference. */
const INDENT = 15

/** The differences of a server as text, wrapped to `width` columns. */
function differenceLines(differences: readonly Difference[], width: number): string[] {
  const labelled = (label: string, text: string) => {
    const [first = '', ...more] = wrap(text, width - INDENT)
    return [`    ${label.padEnd(INDENT - 4)}${first}`, ...more.map(line => ' '.repeat(INDENT) + line)]
  }
  return differences.flatMap(({ point, here, otherwise, why }) => [
    '',
    ...wrap(point, width - 2).map(line => `  ${line}`),
    ...labelled('here', here),
    ...labelled('otherwise', otherwise),
    ...labelled('why', why),
  ])
}

/** The differences of a server in short, without the behaviour of the complete server. */
export function shortDifferenceLines(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ point, here, why }) => [`  ${point}`, `      ${here}`, `      (${why})`])
}

/** The differences of a server by its stage and its profile. */
export interface ModeDifferences {
  readonly stage: string
  readonly profile: string
  readonly ofStage: readonly Difference[]
  readonly ofProfile: readonly Difference[]
}

/** The differences of a stage and of a profile, each below a title. The profile standard has none. */
export function modeLines({ stage, profile, ofStage, ofProfile }: ModeDifferences, width: number): string[] {
  const stageTitle =
    ofStage.length === 0
      ? `The stage ${stage} is the complete server: it leaves nothing out.`
      : `The stage ${stage} does otherwise than the complete server (published-keys):`
  const profileTitle =
    ofProfile.length === 0
      ? 'The profile standard follows the RFCs.'
      : `The profile ${profile} does otherwise than the profile standard${profile === 'reference' ? ', on this machine only' : ''}:`
  return [
    ...wrap(stageTitle, width),
    ...differenceLines(ofStage, width),
    '',
    ...wrap(profileTitle, width),
    ...differenceLines(ofProfile, width),
  ]
}
