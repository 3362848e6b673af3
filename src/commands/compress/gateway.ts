import type { Command } from 'commander'
import { askAsPrograms } from '../../servers/compression/studies/programs.js'
import { gatewayLines } from '../../show/render/compression/gateway-lines.js'
import { type RequestFlags, studyUrl } from './study.js'

/** `compress gateway`: the answers to a graph gateway and to other programs. */
export function runGateway(target: string, flags: RequestFlags, command: Command): Promise<void> {
  return studyUrl(
    target,
    command,
    askAsPrograms,
    {
      lines: gatewayLines,
      allRaw: ({ gateway, others }) => [gateway, ...others].every(each => each.contentEncoding === null),
    },
    flags,
  )
}
