import { Command, InvalidArgumentError, Option } from 'commander'
import { VERIFIERS } from '../../servers/kubernetes/client/doctor/finding.js'
import { withGlobals } from '../program/globals.js'
import { lazily } from '../program/lazily.js'
import { audienceList, k8sExamples, outputOption, withClusterOptions, withNamespace } from './options.js'

const ACCOUNT = ['[account]', 'the service account (default: demo)'] as const
const TOKEN = ['[token]', 'the token; @FILE reads a file, - or nothing reads stdin'] as const

/** Adds the options that describe a token to ask for. */
function withWish(command: Command): Command {
  return withNamespace(command)
    .option('--audience <names>', 'audience that accepts it; repeat it or use commas', audienceList)
    .option('--duration <time>', 'lifetime: 10m, 1h; at least 10m')
    .option('--bind <object>', 'bind it to an object: pod/web-0, secret/demo-key or node/node-1')
}

function speed(text: string): number {
  const value = Number(text)
  if (value >= 1 && value <= 100_000) return value
  throw new InvalidArgumentError('Name a number from 1 to 100000.')
}

const token = () =>
  withClusterOptions(
    withWish(new Command('token').argument(...ACCOUNT)),
    'oauth-lab k8s token --audience api --duration 10m',
    'oauth-lab k8s token demo -n lab --bind pod/web-0 -o decoded',
    'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience api',
    'oauth-lab k8s token builder -n lab --context dev --show-http',
  )
    .description('request a token of a service account; a pipe gets the token alone')
    .addOption(outputOption('token', 'json', 'yaml', 'decoded', 'exec-credential'))
    .action(lazily(async () => (await import('./token.js')).mintToken))

const review = () =>
  withClusterOptions(
    new Command('review').argument(...TOKEN),
    'oauth-lab k8s review @/var/run/secrets/tokens/vault --audience vault',
    'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience other',
    'oauth-lab k8s review "$TOKEN" --cluster https://10.0.0.1:6443 --bearer-file mine --cacert ca.crt -o json',
  )
    .description('ask the cluster to review a token; explains a refusal, and what helps')
    .option(
      '--audience <names>',
      'audience of the token; repeat it or use commas (default: the API server)',
      audienceList,
    )
    .addOption(outputOption('json', 'yaml'))
    .action(lazily(async () => (await import('./review.js')).reviewToken))

const inspect = () =>
  withGlobals(new Command('inspect').argument(...TOKEN))
    .description('decode a token offline: account, bound object, renewal and expiry')
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      k8sExamples('oauth-lab k8s inspect @token.jwt', 'pbpaste | oauth-lab k8s inspect - --json'),
    )
    .action(lazily(async () => (await import('./inspect.js')).inspectToken))

const verify = () =>
  withClusterOptions(
    new Command('verify').argument(...TOKEN),
    'oauth-lab k8s verify @token.jwt --audience api',
    'oauth-lab k8s verify - --issuer https://oidc.eks.eu-west-1.amazonaws.com/id/ABC < token.jwt',
  )
    .description('verify a token by the published keys, as other programs do, beside the review')
    .option('--issuer <url>', 'use the public documents of this issuer (default: those of the cluster)')
    .option('--audience <name>', 'the audience that it must name', audienceList)
    .addOption(outputOption('json', 'yaml'))
    .action(lazily(async () => (await import('./verify.js')).verifyByKeys))

const doctor = () =>
  withClusterOptions(
    new Command('doctor').argument(...TOKEN),
    'oauth-lab k8s doctor @token.jwt --for api',
    'oauth-lab k8s doctor @token.jwt --for vault --audience vault --context dev',
    'oauth-lab k8s token --audience sts.amazonaws.com | oauth-lab k8s doctor - --for aws',
  )
    .description('check a token as its verifier does; exit code 1 on a fault')
    .addOption(new Option('--for <verifier>', 'the verifier').choices(VERIFIERS).makeOptionMandatory())
    .option('--audience <name>', 'the audience that the verifier is configured with', audienceList)
    .addOption(outputOption('json', 'yaml'))
    .action(lazily(async () => (await import('./doctor.js')).examine))

const mount = () =>
  withClusterOptions(
    withWish(new Command('mount').argument(...ACCOUNT)),
    'oauth-lab k8s mount --dir /tmp/tokens --audience api --duration 10m',
    'oauth-lab k8s mount --dir /tmp/tokens --audience api --duration 10m --speed 60',
  )
    .description(
      'keep a projected volume as the kubelet does, until a signal: renewed at 80 % of the lifetime',
    )
    .requiredOption('--dir <folder>', 'the folder; created when it is missing')
    .option('--speed <factor>', 'shorten waits by this factor', speed, 1)
    .action(lazily(async () => (await import('./mount.js')).mountVolume))

/** The commands about tokens. */
export function tokenCommands(): Command[] {
  return [token(), review(), inspect(), verify(), doctor(), mount()]
}
