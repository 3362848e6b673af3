import { STAGE_NAMES, STAGES } from '../../../servers/authorization-server/stages/stages.js'
import { shortDifferenceLines } from '../../../show/render/doctor/difference-lines.js'

/** `oauth-lab help stages`. */
export function stagesTopic(): string[] {
  return [
    'How far the authorization server is built, in the order in which such a server is built.',
    'Chosen with oauth-lab serve --stage NAME, or stage in the lab file.',
    ...STAGE_NAMES.flatMap(name => {
      const lines = shortDifferenceLines(STAGES[name].differences)
      return ['', name, ...(lines.length === 0 ? ['  the complete server: it leaves nothing out'] : lines)]
    }),
    '',
    'The same beside the complete server:  oauth-lab serve --stage shared-secret --explain',
  ]
}
