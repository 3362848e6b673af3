import { REFERENCE_DIFFERENCES } from '../../authorization-server/reference/differences.js'
import { shortDifferenceLines } from '../../render/difference-lines.js'

/** `oauth-lab help profiles`. */
export function profilesTopic(): string[] {
  return [
    'Which rules the authorization server keeps: oauth-lab serve --profile NAME, or `profile` in the lab file.',
    '',
    'standard (the default)',
    '  the RFCs win wherever the reference departs from them',
    '',
    'reference',
    '  the reference behaviour to the letter, to see what is wrong with it; on this machine only',
    '',
    'What the reference does, and what is wrong with it:',
    ...shortDifferenceLines(REFERENCE_DIFFERENCES),
  ]
}
