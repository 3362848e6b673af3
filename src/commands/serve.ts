import { Command } from 'commander'
import { LISTENERS, type ListenerName, listenerNames } from '../lab/listeners.js'
import type { Lab } from '../lab/model.js'
import { readGlobals, withGlobals } from './globals.js'
import type { LabReady } from './json-lines.js'
import { withHost } from './listen-options.js'
import { narrate, shellWord } from './output.js'
import { type ClusterFlags, withClusterFlags, withClusterOptions } from './serve-cluster.js'
import { type DnsFlags, withDnsFlags, withDnsOptions } from './serve-dns.js'
import { type ModeFlags, modeWarnings, readMode, withFlags, withModeOptions } from './serve-mode.js'
import { readPorts, withPorts } from './serve-ports.js'

interface ServeFlags extends ModeFlags, ClusterFlags, DnsFlags {
  readonly san?: readonly string[]
  readonly selfSigned?: true
  readonly plain?: true
}

const examples = `
Examples:
  oauth-lab serve
  oauth-lab serve --port 0 --http-port 0 --json
  oauth-lab serve --config oauth-lab.yaml --san lab.example
  oauth-lab serve --host 0.0.0.0 --san 192.0.2.7
  oauth-lab serve --stage shared-secret
  oauth-lab serve --profile reference --explain
  oauth-lab serve --fail token:invalid_grant:once --fail authorization:temporarily_unavailable
  oauth-lab serve --rate-limit 5/10s
  oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z
`

function names(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter(each => each !== '')]
}

/** A client that the code flow works with, for the command to try next. */
function clientToTry({ config }: Lab): string | undefined {
  return config.clients.find(each => each.enabled && each.grant_types.includes('authorization_code'))
    ?.client_id
}

/** Where a listener is. */
const place = (name: ListenerName, url: string): string =>
  `${LISTENERS[name].title.padEnd(22)}${url}${name === 'http' ? '  (302 to https)' : ''}`

/** Where everything is, and lines to paste. */
function greeting(lab: Lab): string[] {
  const { urls, caFile, config } = lab
  const file = shellWord(caFile)
  const client = clientToTry(lab)
  const published = config.stage === 'published-keys' && config.profile === 'standard'
  return [
    ...listenerNames.flatMap(name => (urls[name] === undefined ? [] : place(name, urls[name]))),
    `lab file              ${config.file ?? 'built in (oauth-lab config show)'}`,
    `CA file               ${caFile}`,
    '',
    'To paste into another terminal:',
    `  curl --cacert ${file} ${urls.authorization}${published ? '/.well-known/openid-configuration' : '/'}`,
    `  export NODE_EXTRA_CA_CERTS=${file}`,
    ...(urls.resource === undefined
      ? []
      : [`  curl --cacert ${file} -H "Authorization: Bearer $TOKEN" ${urls.resource}/resource`]),
    ...(urls.cluster === undefined
      ? []
      : [
          '  oauth-lab k8s kubeconfig > lab.kubeconfig',
          '  kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
        ]),
    ...(client === undefined ? [] : [`  oauth-lab flow code --client ${shellWord(client)}`]),
  ]
}

/** What a person should know before somebody uses the lab. */
async function warnings(lab: Lab, flags: ServeFlags): Promise<string[]> {
  const { isLoopback } = await import('../lab/names.js')
  const { caFile, certificates, config } = lab
  const { host } = flags
  const found = await modeWarnings(config, flags)
  if (host !== undefined && !isLoopback(host)) {
    found.push(
      `warning: with --host ${host} everyone who reaches this machine can log in with the lab's passwords and obtain tokens`,
    )
  }
  if (certificates.caChange !== undefined) {
    found.push(`note: ${caFile} is new (${certificates.caChange}); programs with a copy need this one`)
  }
  return found
}

async function serve(flags: ServeFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const { loadLabConfig } = await import('../lab/config.js')
  const { startLab } = await import('../lab/lab.js')
  const { clockOf } = await import('../lab/clock.js')
  const { recordRunningLab, removeRunningLab } = await import('../lab/running.js')
  const asked = withFlags(await loadLabConfig(globals.config), flags)
  const effective = withDnsFlags(withClusterFlags(asked, flags), flags)
  if (flags.explain) {
    const { explainMode } = await import('./serve-explain.js')
    return explainMode(effective, globals.json)
  }
  const { clock, random, faults } = await readMode(flags)
  const { home } = globals
  const { outputMode } = await import('./output-mode.js')
  const mode = outputMode({
    json: globals.json,
    plain: flags.plain === true,
    screenReader: false,
    toFile: false,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  const opening =
    mode === 'tui'
      ? { dashboard: import('./serve-dashboard.js') }
      : { output: import('./event-output.js').then(({ openEventOutput }) => openEventOutput(globals)) }
  const lab = await startLab({
    config: effective,
    home,
    faults,
    ...(random && { random }),
    ...(clock && { now: clockOf(clock) }),
    ports: readPorts(command),
    names: flags.san ?? [],
    selfSigned: flags.selfSigned === true,
    ...(flags.host !== undefined && { host: flags.host }),
  })
  process.once('exit', () => removeRunningLab(home))
  const { urls, caFile: ca, config, events } = lab
  const output = await opening.output
  const dashboard = await opening.dashboard
  for (const line of await warnings(lab, flags)) narrate(line)
  await recordRunningLab(home, {
    ...{ pid: process.pid, startedAt: Date.now(), urls, ca, config: config.file },
    ...{ stage: config.stage, profile: config.profile },
    ...(clock && { clock }),
  }).catch(async error => {
    // What listens would keep the program alive.
    await lab.stop()
    throw error
  })
  // No wait from here to the subscription: the first request may come as soon as the record is there.
  const ready: LabReady = { type: 'lab.ready', pid: process.pid, ca, urls }
  process.exitCode = dashboard
    ? await dashboard.showDashboard({ lab, ready, globals, greeting: greeting(lab) })
    : await output?.printUntilEnd({ ready, greeting: [...greeting(lab), '', 'Ctrl-C stops it.'], events })
  // From now on no command is to find it.
  removeRunningLab(home)
  await lab.stop()
}

/** `oauth-lab serve`: the lab, until a signal ends it. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the servers of the lab, and print what happens on them')
    .option('--san <names>', 'further names and addresses of the certificate; repeat it or use commas', names)
    .option('--self-signed', 'one certificate that signs itself, instead of one signed by the lab’s CA')
    .option('--plain', 'one line an event')
  return withDnsOptions(withClusterOptions(withModeOptions(withHost(withPorts(withGlobals(command))))))
    .addHelpText('after', examples)
    .action(serve)
}
