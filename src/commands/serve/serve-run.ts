import { randomBytes } from 'node:crypto'
import { clockOf, clockSetting } from '../../lab/clock.js'
import { labGreeting, labWarnings } from '../../lab/greeting.js'
import { type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import { isLocal } from '../../lab/lab-file/names.js'
import { withOverrides } from '../../lab/lab-file/overrides.js'
import { seededRandom } from '../../lab/seeded-random.js'
import { openEventFile } from '../../lab/state/event-file.js'
import { recordRunningLab, removeRunningLab } from '../../lab/state/running.js'
import { announceLab } from '../../lab/state/seen-origins.js'
import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { weakModes } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import {
  FAULTS,
  type Fault,
  type FaultEndpoint,
  isFaultOf,
} from '../../servers/authorization-server/endpoints/fault-list.js'
import { profileDifferences, serverProfile } from '../../servers/authorization-server/profiles/profiles.js'
import { REFERENCE_DIFFERENCES } from '../../servers/authorization-server/reference/differences.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import { mcpResource } from '../../servers/resource-server/mcp/tools.js'
import { modeLines } from '../../show/render/doctor/difference-lines.js'
import { weakLines } from '../../show/render/rule-lines.js'
import type { LabReady } from '../output/json-lines.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { portsOf, type ServeFlags } from './serve-options.js'

function refuse(problem: string, word: string, allowed: readonly string[]): never {
  throw new UsageError(`--fail: ${problem}`, [
    `Allowed: ${allowed.join(', ')}`,
    ...nearestHint(word, allowed),
  ])
}

function times(text: string): number {
  if (text === 'always') return Number.POSITIVE_INFINITY
  if (text === 'once') return 1
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  return refuse(`${JSON.stringify(text)} is not a number of times`, text, [
    'once',
    'always',
    'a number such as 3',
  ])
}

/**
 * Reads `ENDPOINT:ERROR[:once
 * :N
 * :always]`. @throws UsageError that names the allowed values
 */
export function parseFault(text: string): Fault {
  const [endpoint = '', error = '', often = 'always', ...rest] = text.split(':')
  if (error === '' || rest.length > 0) {
    throw new UsageError(`--fail ${JSON.stringify(text)} is not ENDPOINT:ERROR[:once|:N|:always]`, [
      'It looks like --fail token:invalid_grant:once',
    ])
  }
  const endpoints = Object.keys(FAULTS)
  if (!Object.hasOwn(FAULTS, endpoint)) {
    refuse(`there is no endpoint ${JSON.stringify(endpoint)}`, endpoint, endpoints)
  }
  const known = endpoint as FaultEndpoint
  if (!isFaultOf(known, error)) {
    return refuse(`${endpoint} never answers ${JSON.stringify(error)}`, error, FAULTS[known])
  }
  return { endpoint: known, error, times: times(often) }
}

/** @throws UsageError for a seed on a host that other machines reach */
function checkSeed({ host, seed }: ServeFlags): void {
  if (seed === undefined || isLocal(host)) return
  throw new UsageError(`--seed is for this machine only, not for --host ${host}`, [
    'Everybody who knows the seed can compute the codes',
  ])
}

/** Makes the key of the dashboard as a page, where it was asked for. @throws UsageError on a host that other machines reach */
function dashboardKeyOf({ web, host }: ServeFlags): string | undefined {
  if (web === undefined) return undefined
  if (isLocal(host)) return randomBytes(16).toString('base64url')
  throw new UsageError(`--web is for this machine only, not for --host ${host}`, [
    'Leave out one of them; the screen of serve shows the same',
  ])
}

async function dashboardAddress(issuer: string, key: string): Promise<string> {
  const page = await import('../../servers/authorization-server/endpoints/web-dashboard.js')
  return page.dashboardAddress(issuer, key)
}

/**
 * `oauth-lab serve`: starts the lab, records it for other commands, and shows its events until a signal comes.
 */
export async function runServe(flags: ServeFlags, globals: Globals): Promise<number> {
  const { home, json } = globals
  const { host, seed, fail = [], san = [] } = flags
  const effective = withOverrides(await loadLabConfig(globals.config), flags)
  if (flags.explain) {
    explainMode(effective, json)
    return EXIT.done
  }
  checkSeed(flags)
  const dashboardKey = dashboardKeyOf(flags)
  const clock = clockSetting(flags)
  const faults = fail.map(parseFault)
  await announceLab(effective, home, narrate)
  // The output is loaded while the lab starts.
  const mode = terminalMode({ json, plain: flags.plain === true, screenReader: flags.screenReader === true })
  const loading =
    mode === 'tui'
      ? { dashboard: import('./serve-dashboard.js') }
      : mode === 'screen-reader'
        ? { aloud: import('./serve-aloud.js') }
        : { output: import('../output/event-output.js') }
  const { startLab } = await import('../../lab/lab.js')
  const lab = await startLab({
    config: effective,
    home,
    faults,
    ports: portsOf(flags),
    names: san,
    selfSigned: flags.selfSigned === true,
    ...defined({ certificateKey: flags.certificateKey, dashboardKey }),
    weakAnywhere: flags.weakAnywhere === true,
    ...(seed !== undefined && { random: seededRandom(seed) }),
    ...(clock && { now: clockOf(clock) }),
    ...(host !== undefined && { host }),
  })
  process.once('exit', () => removeRunningLab(home))
  const { urls, caFile: ca, config, events } = lab
  const output = await loading.output
  const aloud = await loading.aloud
  const dashboard = await loading.dashboard
  for (const line of await labWarnings(lab, flags)) narrate(line)
  const { stage, profile, file } = config
  const found = config.found || undefined
  const web = dashboardKey && (await dashboardAddress(urls.authorization, dashboardKey))
  const eventFile = await openEventFile(home, {
    failed: ({ message }) => narrate(`learn sees no further events: ${message}`),
  })
  process.once('exit', eventFile.closeNow)
  events.subscribe(eventFile.add)
  const weak = config.weak.length > 0 ? config.weak : undefined
  const started = { pid: process.pid, startedAt: Date.now(), urls, ca, config: file, stage, profile }
  await recordRunningLab(home, { ...started, ...defined({ weak, clock, found }) }).catch(async error => {
    // The listeners would keep the program alive.
    await lab.stop()
    throw error
  })
  // Nothing is awaited from here to the subscription: the first request may come as soon as the record is there.
  const greeting = [...labGreeting(lab), ...(web === undefined ? [] : ['', `dashboard             ${web}`])]
  const mcp = urls.resource && mcpResource(urls.resource)
  const named = { ...urls, ...defined({ mcp, web }) }
  const ready: LabReady = { type: 'lab.ready', pid: process.pid, ca, urls: named, ...defined({ weak }) }
  const server = { ready, greeting: [...greeting, '', 'Ctrl-C stops it.'], events }
  const exitCode = dashboard
    ? await dashboard.showDashboard({ lab, ready, globals, greeting })
    : await (aloud?.speakUntilEnd(server) ?? output?.printUntilEnd(server, globals))
  // From now on no command finds the lab.
  removeRunningLab(home)
  await lab.stop()
  await eventFile.close()
  return exitCode ?? EXIT.done
}

/** Widest text, in columns. */
const WIDTH = 88

/** Prints how a stage, a profile and weak modes depart from the complete, standard server, and why. */
function explainMode({ stage, profile, weak }: LabConfig, json: boolean): void {
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
