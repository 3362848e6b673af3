import { defined } from '../../protocol/values.js'
import {
  MODE_MEANINGS,
  MODE_SETTINGS,
  nginxConf,
  PROXY_MODES,
} from '../../servers/compression/proxy/modes.js'
import type { MeasureCase } from '../../servers/compression/studies/bench.js'
import { CASE_OFFERS, CASE_PATHS, CASES, type MeasuredCase } from '../../servers/compression/studies/cases.js'
import { benchTarget } from '../../session/targets/proxy.js'
import { withTarget } from '../../session/targets/target.js'
import { caseReport } from '../../show/render/compression/case-lines.js'
import { narrate, print, printJson } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { screenOffers } from '../output/screen-offers.js'
import { watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { NOT_COMPRESSING } from './studies.js'

/** Port of an nginx with an exported configuration. */
const NGINX_PORT = 8447

async function printCases(measure: MeasureCase, path: string, globals: Globals): Promise<void> {
  const measured: MeasuredCase[] = []
  for (const setting of CASES) {
    const each = await measure(setting, path)
    if (globals.json) printJson(each)
    measured.push(each)
  }
  if (measured.every(({ hops: [first] }) => first?.coding === 'identity')) narrate(NOT_COMPRESSING)
  if (globals.json) return
  const results = measured.map(each => [each, { state: 'measured', measured: each }] as const)
  const { columns } = process.stdout
  print(...caseReport(path, results, { ascii: globals.ascii, ...(columns > 0 && { columns }) }))
}

/** Reads each case aloud as soon as it is measured. */
async function speakCases(measure: MeasureCase, server: string): Promise<void> {
  const { spokenCase } = await import('../../show/render/compression/case-lines.js')
  const { speakItems } = await import('../output/spoken.js')
  async function* items() {
    for (const setting of CASES) yield spokenCase(await measure(setting, CASE_PATHS[0]!), server)
  }
  await speakItems(items(), watchSignals())
}

/**
 * `oauth-lab compress`: measures five ways from the server to the client, on a terminal on a screen.
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runLab(
  { plain, screenReader }: { readonly plain?: true; readonly screenReader?: true },
  globals: Globals,
): Promise<void> {
  const { json } = globals
  const mode = terminalMode({ json, ...defined({ plain, screenReader }) })
  const loading = mode === 'tui' ? import('../../show/tui/compress/run.js') : undefined
  return withTarget(benchTarget(globals, { narrate }), async ({ address, caFile, measure }) => {
    if (mode === 'screen-reader') return speakCases(measure, address)
    const screen = await loading
    if (screen === undefined) {
      await printCases(measure, CASE_PATHS[0]!, globals)
      return
    }
    await screen.runCompress({
      offers: {
        server: address,
        measure,
        cases: CASES,
        paths: CASE_PATHS,
        offers: CASE_OFFERS,
        modes: PROXY_MODES,
        meanings: MODE_MEANINGS,
        nginx: each => nginxConf(MODE_SETTINGS[each], { port: NGINX_PORT, upstream: address, caFile }),
        ...screenOffers(globals.home),
      },
      now: Date.now,
      ascii: globals.ascii,
    })
  })
}
