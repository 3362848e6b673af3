import { askAsPrograms } from '../../servers/compression/studies/offers.js'
import { gatewayLines } from '../../show/render/compression/gateway-lines.js'
import type { Globals } from '../program/globals.js'
import type { RequestFlags } from './options.js'
import { studyUrl } from './study.js'

/** `compress gateway`: the answers to a graph gateway and to other programs. */
export function runGateway(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    askAsPrograms,
    {
      lines: gatewayLines,
      allRaw: ({ gateway, others }) => [gateway, ...others].every(each => each.contentEncoding === null),
    },
    flags,
  )
}
