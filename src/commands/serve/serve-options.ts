import { type Command, Option } from 'commander'
import { parseDuration } from '../../lab/lab-file/duration.js'
import { REGISTRATION_MODES } from '../../lab/schema/registration-modes.js'
import { UsageError } from '../../protocol/errors.js'
import { SERVER_PROFILES } from '../../protocol/oauth/client.js'
import { STAGE_NAMES } from '../../servers/authorization-server/stages/stages.js'
import { withRepeatOptions } from '../flow/repeat-options.js'
import { repeated } from '../program/list-options.js'

/** Adds the options that change how the authorization server behaves. */
export function withModeOptions(command: Command): Command {
  const mode = command
    .addOption(new Option('--stage <stage>', 'how much of the server is built').choices(STAGE_NAMES))
    .addOption(
      new Option(
        '--profile <profile>',
        'standard: the RFCs; reference: the reference behaviour; oauth21, fapi2: stricter demands',
      ).choices(SERVER_PROFILES),
    )
    .addOption(
      new Option(
        '--registration <mode>',
        'clients that register themselves: anyone (open), with a token of the lab file (token), or nobody (off)',
      ).choices(REGISTRATION_MODES),
    )
    .option('--compression', 'compress what clients offer to take compressed (or ENABLE_COMPRESSION=1)')
    .option('--explain', 'print how the stage, the profile and weak modes differ and why, and exit')
    .addOption(
      new Option('--response-type-errors <how>', 'how to refuse an unsupported response_type').choices([
        'page',
        'redirect',
      ]),
    )
    .option(
      '--redirect-uri <uri>',
      'register an address for demo, demo-spa and demo-native, or for one client: CLIENT=URI; repeat it',
      repeated,
    )
    .option(
      '--fail <endpoint:error[:times]>',
      'make an endpoint return an error: once, a number of times, or always (default); repeat it',
      repeated,
    )
  return withRepeatOptions(mode)
}

function expiration(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms >= 3_600_000) return ms / 1000
  throw new UsageError(
    `--max-token-expiration ${JSON.stringify(text)} is not a duration of at least an hour`,
    ['It looks like --max-token-expiration 48h; the API server’s own flag takes no less than 1h'],
  )
}

/** Adds the options that change the cluster. */
export function withClusterOptions(command: Command): Command {
  return command
    .option(
      '--api-audience <audience>',
      'audience of the cluster’s API server; repeat it (default: the cluster’s issuer)',
      repeated,
    )
    .addOption(
      new Option(
        '--max-token-expiration <duration>',
        'longest lifetime of a service-account token, at least 1h',
      ).argParser(expiration),
    )
    .option('--no-public-discovery', 'show the cluster’s issuer metadata and keys to service accounts only')
    .option(
      '--cluster-oidc',
      'let the cluster accept ID tokens of this lab: people log in to it, by kubelogin or k8s kubeconfig --oidc',
    )
    .option('--no-anonymous', 'refuse requests without credentials with 401, not 403')
}

function rate(text: string): string {
  if (/^(off|[1-9]\d{0,6}\/[1-9]\d{0,8}[smhd])$/.test(text)) return text
  throw new UsageError(`--rate-limit ${JSON.stringify(text)} is not a rate`, [
    'It looks like --rate-limit 5/10s (five requests in ten seconds), or --rate-limit off',
  ])
}

/** Adds the options that change the DNS and security-event API. */
export function withDnsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--rate-limit <rate>', 'budget of the DNS and events API, such as 5/10s, or off').argParser(
        rate,
      ),
    )
    .option('--hostile', 'add a security event that harms programs which print it unescaped')
}
