import { askAsPrograms } from '../../compression/studies/programs.js'
import { gatewayLines } from '../../render/compression/gateway-lines.js'
import type { Globals } from '../globals.js'
import { studyUrl } from './study.js'

/** `compress gateway`: the answers to a graph gateway and to other programs. */
export function runGateway(target: string, globals: Globals): Promise<number> {
  return studyUrl(target, globals, askAsPrograms, {
    lines: gatewayLines,
    allRaw: ({ gateway, others }) => [gateway, ...others].every(each => each.contentEncoding === null),
  })
}
