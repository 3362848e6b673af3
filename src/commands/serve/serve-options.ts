import { parseDuration } from '../../lab/lab-file/duration.js'
import {
  isOnRequest,
  type LabPorts,
  LISTENERS,
  type ListenerName,
  listenerNames,
  onRequest,
} from '../../lab/listening/listeners.js'
import { REGISTRATION_MODES } from '../../lab/schema/registration-modes.js'
import { UsageError } from '../../protocol/errors.js'
import { SERVER_PROFILES } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import { STAGE_NAMES } from '../../servers/authorization-server/stages/stages.js'
import { type OptionRow, option, repeated, type Typed, wordList } from '../../session/options/option.js'
import { repeat } from '../../session/options/table.js'
import { everywhere } from '../program/globals.js'
import { freePortOption, host, portOption } from './listen-options.js'

/** These keep their ports with `--port 0`; the others get free ones then, so that two labs can run. */
const KEPT: readonly ListenerName[] = ['authorization', 'http']

/** An option for the port of each listener. Their names are read by `portsOf`. */
const ports: readonly OptionRow<never, never, false>[] = listenerNames.map(name => {
  const { title, portOption: flag, port } = LISTENERS[name]
  const flags = `${flag} <port>`
  const meaning = `${title}: port, 0 for a free one`
  const opened = onRequest(name)
  const row =
    opened !== undefined
      ? freePortOption(flags, `${meaning}; ${opened}`)
      : KEPT.includes(name)
        ? portOption(flags, meaning, port)
        : freePortOption(flags, `${meaning} (default: ${port}, or a free one with --port 0)`)
  return row as OptionRow<never, never, false>
})

/** The ports that were asked for. */
export function portsOf(flags: object): LabPorts {
  const asked = (name: ListenerName): number | undefined => {
    const option = LISTENERS[name].portOption.slice(2).replace(/-p/, 'P')
    return (flags as Readonly<Record<string, number | undefined>>)[option]
  }
  const authorization = asked('authorization') ?? LISTENERS.authorization.port
  const portOf = (name: ListenerName) => {
    const unasked = authorization === 0 ? 0 : LISTENERS[name].port
    return asked(name) ?? (isOnRequest(name) ? undefined : unasked)
  }
  return { authorization, ...defined(Object.fromEntries(listenerNames.map(name => [name, portOf(name)]))) }
}

function expiration(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms >= 3_600_000) return ms / 1000
  throw new UsageError(
    `--max-token-expiration ${JSON.stringify(text)} is not a duration of at least an hour`,
    ['It looks like --max-token-expiration 48h; the API server’s own flag takes no less than 1h'],
  )
}

function rate(text: string): string {
  if (/^(off|[1-9]\d{0,6}\/[1-9]\d{0,8}[smhd])$/.test(text)) return text
  throw new UsageError(`--rate-limit ${JSON.stringify(text)} is not a rate`, [
    'It looks like --rate-limit 5/10s (five requests in ten seconds), or --rate-limit off',
  ])
}

/** The options of `serve`. */
export const serveOptions = [
  option('--san <names>', 'further names and addresses of the certificate; repeat it or use commas', {
    parse: wordList,
  }),
  option('--self-signed', 'use a self-signed certificate instead of one signed by the lab’s CA'),
  option('--certificate-key <type>', 'type of the key of the certificate (default: ec)', {
    choices: ['ec', 'rsa'],
    conflicts: ['selfSigned'],
  }),
  option('--plain', 'print one line for each event'),
  option('--screen-reader', 'print sentences for each event; r repeats the last one, d reads its details'),
  option('--web', 'show what happens as a page too, at an address with a key; for this machine alone'),
  ...everywhere,
  ...ports,
  host,
  option('--stage <stage>', 'how much of the server is built', { choices: STAGE_NAMES }),
  option(
    '--profile <profile>',
    'standard: the RFCs; reference: the reference behaviour; oauth21, fapi2: stricter demands',
    { choices: SERVER_PROFILES },
  ),
  option(
    '--registration <mode>',
    'clients that register themselves: anyone (open), with a token of the lab file (token), or nobody (off)',
    { choices: REGISTRATION_MODES },
  ),
  option('--compression', 'compress what clients offer to take compressed (or ENABLE_COMPRESSION=1)'),
  option('--explain', 'print how the stage, the profile and weak modes differ and why, and exit'),
  option('--response-type-errors <how>', 'how to refuse an unsupported response_type', {
    choices: ['page', 'redirect'],
  }),
  option('--pick', 'offer the users on every login page, for a click without a password'),
  option(
    '--redirect-uri <uri>',
    'register an address for demo, demo-spa and demo-native, or for one client: CLIENT=URI; repeat it',
    { parse: repeated },
  ),
  option(
    '--fail <endpoint:error[:times]>',
    'make an endpoint return an error: once, a number of times, or always (default); repeat it',
    { parse: repeated },
  ),
  ...repeat,
  option(
    '--weak <modes>',
    'INSECURE: switch defences off on purpose, by name (weak list); repeat it or use commas',
    { parse: wordList },
  ),
  option('--weak-anywhere', 'allow weak modes with a --host that other machines reach'),
  option(
    '--api-audience <audience>',
    'audience of the cluster’s API server; repeat it (default: the cluster’s issuer)',
    { parse: repeated },
  ),
  option('--max-token-expiration <duration>', 'longest lifetime of a service-account token, at least 1h', {
    parse: expiration,
  }),
  option('--no-public-discovery', 'show the cluster’s issuer metadata and keys to service accounts only'),
  option(
    '--cluster-oidc',
    'let the cluster accept ID tokens of this lab: people log in to it, by kubelogin or k8s kubeconfig --oidc',
  ),
  option('--no-anonymous', 'refuse requests without credentials with 401, not 403'),
  option('--rate-limit <rate>', 'budget of the DNS and events API, such as 5/10s, or off', { parse: rate }),
  option('--hostile', 'add a security event that harms programs which print it unescaped'),
]

/** Flags of `serve`. */
export type ServeFlags = Typed<typeof serveOptions>
