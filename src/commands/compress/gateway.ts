import { wireBytes } from '../../compression/client/weigh.js'
import { type AskingProgram, GATEWAY, PROGRAMS } from '../../compression/offers.js'
import { type GatewayAnswer, gatewayLines } from '../../render/compression/gateway-lines.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { type Ask, asker } from './ask.js'
import { NOT_COMPRESSING, upstreamInUse } from './upstream.js'

async function answerTo(program: AskingProgram, url: string, ask: Ask): Promise<GatewayAnswer> {
  const { status, contentEncoding, vary, bytes } = await ask(url, { offer: program.offer })
  return { ...program, status, contentEncoding, vary, bytes, wireBytes: wireBytes(bytes) }
}

/**
 * Asks as a graph gateway asks the services behind it, and as other programs do that nobody told otherwise.
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runGateway(target: string, globals: Globals): Promise<void> {
  const lab = await upstreamInUse(target, globals)
  try {
    const ask = asker(lab, globals)
    const gateway = await answerTo(GATEWAY, lab.url, ask)
    const others: GatewayAnswer[] = []
    for (const program of PROGRAMS) others.push(await answerTo(program, lab.url, ask))
    if (globals.json) printJson({ url: lab.url, gateway, others })
    else print(...gatewayLines(lab.url, gateway, others, globals))
    if ([gateway, ...others].every(each => each.contentEncoding === null)) narrate(NOT_COMPRESSING)
  } finally {
    await lab.stop()
  }
}
