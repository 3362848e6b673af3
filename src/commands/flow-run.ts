import { text as readAll } from 'node:stream/consumers'
import { createBrowserAgent } from '../client/browser.js'
import { type CallbackListener, isListenable, listenForCallback } from '../client/callback-listener.js'
import { discover } from '../client/discovery.js'
import { createHeadlessAgent } from '../client/headless.js'
import type { AskLogin } from '../client/login.js'
import { openBrowser } from '../client/open-browser.js'
import { createTransport, type Transport } from '../client/transport.js'
import { transportHints } from '../client/transport-errors.js'
import type { UserAgent } from '../client/user-agent.js'
import { EXIT, UsageError } from '../errors.js'
import { type CodeFlowOptions, codeFlow, codePlan } from '../flows/code.js'
import { outcomeOf } from '../flows/outcome.js'
import type { FlowRecord, Outcome } from '../flows/step.js'
import type { Client } from '../oauth/client.js'
import { makeSafe } from '../render/text.js'
import type { FlowFlags } from './flow.js'
import { checkExport, exportRun } from './flow-export.js'
import { lineWriter, recordLines, tellFlow, writeFlow } from './flow-output.js'
import {
  answerFirst,
  answerOnce,
  findClient,
  findUser,
  type KnownUser,
  redirectUriFor,
  secretPlace,
} from './flow-words.js'
import type { Globals } from './globals.js'
import { type LabInUse, labInUse } from './lab-in-use.js'
import { narrate } from './output.js'
import { asciiOnly, type OutputMode, outputMode } from './output-mode.js'
import { type Interruption, watchSignals } from './signals.js'

/** How long a person may take in the browser, unless `--timeout` says otherwise; the life of a code. */
const PERSON_PATIENCE = 600_000

/** Everything a run of the flow is made of, once the lab is known. */
interface Run {
  readonly flags: FlowFlags
  readonly globals: Globals
  readonly lab: LabInUse
  readonly client: Client
  readonly user: KnownUser | undefined
  readonly transport: Transport
  readonly mode: OutputMode
  readonly interruption: Interruption
}

/**
 * `oauth-lab flow code`: finds the lab, walks the flow, shows it.
 * @returns the exit code
 */
export async function runCodeFlow(flags: FlowFlags, globals: Globals): Promise<number> {
  checkExport(flags.export, globals.json)
  const mode = outputMode({
    json: globals.json,
    plain: flags.plain === true || flags.export !== undefined,
    screenReader: flags.screenReader === true,
    toFile: flags.output !== undefined,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  const password = flags.passwordStdin ? await passwordFromStdin() : undefined
  const interruption = watchSignals()
  try {
    const lab = await labInUse(globals, { narrate })
    try {
      const { clients, users } = lab.config
      const client = findClient(flags.client, clients)
      // On the screen the person logs in; elsewhere nobody is there to ask.
      const asks = mode === 'tui' && flags.user === undefined && password === undefined
      const user = asks ? undefined : findUser(flags.user, password, users)
      const { caPem, now } = lab
      const { timeoutMs } = globals
      const transport = createTransport({ timeoutMs, now, ...(caPem !== undefined && { caPem }) })
      try {
        return await show({ flags, globals, lab, client, user, transport, mode, interruption })
      } finally {
        await transport.close()
      }
    } finally {
      await lab.stop()
    }
  } finally {
    interruption.ignore()
  }
}

/** The first line of stdin. */
async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) narrate('Type the password and end it with Ctrl-D:')
  const [password = ''] = (await readAll(process.stdin)).split(/\r?\n/, 1)
  if (password === '') throw new UsageError('--password-stdin: stdin holds no password')
  return password
}

async function show(run: Run): Promise<number> {
  const { flags, globals, lab, client, transport, mode, interruption } = run
  const { signal } = interruption
  const redirectUri = flags.redirectUri ?? redirectUriFor(client)
  if (flags.browser && !isListenable(redirectUri)) {
    throw new UsageError('a browser can only bring the answer to a loopback redirect_uri', [
      'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
    ])
  }
  const auth = secretPlace(client)
  const ascii = globals.ascii || asciiOnly(process.env)
  // An export has the output to itself.
  const write = flags.export === undefined ? lineWriter(flags.output) : narrate
  const shown = { clientId: client.client_id, showSecrets: globals.showSecrets, ascii, json: mode === 'json' }
  const end = async (outcome: Outcome) => {
    for (const line of recordLines(outcome, shown)) write(line)
    return finish(outcome, interruption)
  }

  const issuer = lab.urls.authorization
  let wanted: CodeFlowOptions
  try {
    wanted = {
      ...(await knownOf(lab, transport, globals.home, signal)),
      clientId: client.client_id,
      auth,
      redirectUri,
      pkce: flags.pkce,
      audience: client.client_id,
      ...(client.client_secret !== undefined && { clientSecret: client.client_secret }),
      ...(flags.scope !== undefined && { scope: flags.scope }),
    }
  } catch (error) {
    return end(outcomeOf(error, signal))
  }

  const plan = codePlan(wanted)
  if (mode === 'tui') {
    const { runFlowScreen } = await import('../tui/run.js')
    const outcome = await runFlowScreen({
      command: 'flow code',
      clientId: client.client_id,
      issuer,
      plan,
      start: (ask, ended, say) => start(run, wanted, ask, AbortSignal.any([ended, signal]), say),
      now: lab.now,
      showSecrets: globals.showSecrets,
      ascii,
      ...suggestion(run),
    })
    return Number(process.exitCode ?? (outcome ? exitCodeOf(outcome, interruption) : EXIT.done))
  }
  const records = start(run, wanted, undefined, signal, narrate)
  const text = { ...shown, flow: 'authorization code', plan, now: lab.now }
  const outcome = flags.export
    ? await exportRun(records, { ...text, ...flags, format: flags.export, lab })
    : mode === 'screen-reader'
      ? await tellFlow(records, text, write, signal)
      : await writeFlow(records, record => recordLines(record, shown), write)
  return outcome ? finish(outcome, interruption) : (interruption.exitCode() ?? EXIT.done)
}

/** What the client knows of the lab: published, or by hand. */
async function knownOf(
  { urls, config }: LabInUse,
  { send }: Transport,
  home: string,
  signal: AbortSignal,
): Promise<Pick<CodeFlowOptions, 'metadata' | 'carriedKeys'>> {
  const issuer = urls.authorization
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('./unpublished-lab.js')
  if (isPublished(config)) return { metadata: await discover(issuer, send, signal) }
  const keys = await carriedKeys(config, home)
  return { metadata: unpublishedMetadata(issuer, config), ...(keys && { carriedKeys: keys }) }
}

/** The first user of the lab file, so that Enter alone logs in. */
function suggestion({ lab, user }: Run): { suggestedUser?: KnownUser } {
  const first = user ?? lab.config.users.find(each => each.password !== undefined)
  return first?.password === undefined
    ? {}
    : { suggestedUser: { username: first.username, password: first.password } }
}

/** One run of the flow, with a listener of its own at the redirect_uri. */
async function* start(
  run: Run,
  wanted: CodeFlowOptions,
  ask: AskLogin | undefined,
  signal: AbortSignal,
  say: (line: string) => void,
): AsyncGenerator<FlowRecord, void, void> {
  const { lab, transport } = run
  const { send } = transport
  let callback: CallbackListener | undefined
  try {
    callback = await listenForCallback(wanted.redirectUri)
    const userAgent = userAgentFor(run, callback, ask, say)
    const { now, random } = lab
    yield* codeFlow(
      { send, userAgent, now, random, signal },
      { ...wanted, redirectUri: callback?.redirectUri ?? wanted.redirectUri },
    )
  } catch (error) {
    yield outcomeOf(error, signal)
  } finally {
    await callback?.close()
  }
}

function userAgentFor(
  run: Run,
  callback: CallbackListener | undefined,
  ask: AskLogin | undefined,
  say: (line: string) => void,
): UserAgent {
  const { flags, globals, lab, transport, user } = run
  const browser =
    callback &&
    createBrowserAgent({
      callback,
      open: url => openUnlessTold(url, flags.open, say),
      show: url => say(makeSafe(`Open this address to log in:  ${url}`)),
      waitMs: flags.patient ? globals.timeoutMs : PERSON_PATIENCE,
      now: lab.now,
    })
  if (flags.browser && browser) return browser
  const answer = user === undefined ? undefined : ask ? answerFirst(user, ask) : answerOnce(user)
  return createHeadlessAgent({
    send: transport.send,
    askLogin: answer ?? ask ?? (async () => ({ kind: 'cancel' })),
    ...(callback && { callback }),
    ...(browser && { browser }),
  })
}

async function openUnlessTold(url: string, open: boolean, say: (line: string) => void): Promise<void> {
  if (!open) return
  await openBrowser(url, {
    env: process.env,
    platform: process.platform,
    onProblem: problem => say(makeSafe(`No browser was opened (${problem}). Open the address yourself.`)),
  })
}

/** The exit code of an outcome. */
export function exitCodeOf(outcome: Outcome, { exitCode }: Pick<Interruption, 'exitCode'>): number {
  if (outcome.outcome === 'granted') return EXIT.done
  if (outcome.outcome === 'refused') return EXIT.refused
  if (outcome.error?.error === 'timeout') return EXIT.timeout
  return exitCode() ?? EXIT.transport
}

/** Says on stderr what a failure of the network means, and hands over the exit code. */
function finish(outcome: Outcome, interruption: Interruption): number {
  const { error } = outcome
  if (outcome.outcome === 'failed' && error && interruption.exitCode() === undefined) {
    const hints = transportHints(error.error)
    narrate([`oauth-lab: ${makeSafe(error.error_description)}`, ...hints.map(hint => `  ${hint}`)].join('\n'))
  }
  return exitCodeOf(outcome, interruption)
}
