import { MODE_MEANINGS, MODE_SETTINGS, PROXY_MODES } from '../../compression/proxy/modes.js'
import { nginxConf } from '../../compression/proxy/nginx-conf.js'
import { EXIT } from '../../errors.js'
import type { MeasuredCase } from '../../render/compression/case.js'
import { caseReport } from '../../render/compression/case-text.js'
import { takesClipboard } from '../../tui/screen/clipboard.js'
import type { Globals } from '../globals.js'
import { keepCopy } from '../keep-copy.js'
import { writeNewFile } from '../new-file.js'
import { narrate, print, printJson } from '../output.js'
import { outputMode } from '../output-mode.js'
import { type Bench, openBench } from './lab-bench.js'
import { LAB_CASES, LAB_OFFERS, LAB_PATHS } from './lab-cases.js'
import { NOT_COMPRESSING } from './upstream.js'

/** Where an nginx with an exported configuration listens. */
const NGINX_PORT = 8447

async function printCases({ measure }: Bench, path: string, globals: Globals): Promise<void> {
  const measured: MeasuredCase[] = []
  for (const setting of LAB_CASES) {
    const each = await measure(setting, path)
    if (globals.json) printJson(each)
    measured.push(each)
  }
  const raw = measured.every(({ hops: [first] }) => first?.coding === 'identity')
  if (raw) narrate(NOT_COMPRESSING)
  if (globals.json) return
  const results = measured.map(each => [each, { state: 'measured', measured: each }] as const)
  const { columns } = process.stdout
  print(...caseReport(path, results, { ascii: globals.ascii, ...(columns > 0 && { columns }) }))
}

/**
 * `oauth-lab compress`: five ways from the server to the client, measured; on a terminal a screen to change them on.
 * @returns the exit code
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runLab({ plain }: { readonly plain?: true }, globals: Globals): Promise<number> {
  const mode = outputMode({
    json: globals.json,
    plain: plain === true,
    screenReader: false,
    toFile: false,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  const loading = mode === 'tui' ? import('../../tui/compress/run.js') : undefined
  const bench = await openBench(globals)
  try {
    const screen = await loading
    if (screen === undefined) {
      await printCases(bench, LAB_PATHS[0]!, globals)
      return EXIT.done
    }
    const { server, caFile, measure } = bench
    const signal = await screen.runCompress({
      offers: {
        ...{ server, measure, cases: LAB_CASES, paths: LAB_PATHS, offers: LAB_OFFERS },
        ...{ modes: PROXY_MODES, meanings: MODE_MEANINGS },
        nginx: each => nginxConf(MODE_SETTINGS[each], { port: NGINX_PORT, upstream: server, caFile }),
        save: writeNewFile,
        keepCopy: text => keepCopy(globals.home, text),
        clipboard: takesClipboard(process.env),
      },
      now: Date.now,
      ascii: globals.ascii,
    })
    return signal === undefined ? EXIT.done : Number(process.exitCode)
  } finally {
    await bench.stop()
  }
}
