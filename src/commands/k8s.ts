import { discoveryRequest, jwksRequest } from '../servers/kubernetes/client/requests.js'
import { VERIFIERS } from '../servers/kubernetes/shapes.js'
import { option } from '../session/options/option.js'
import { cluster } from '../session/options/table.js'
import type { ObjectGroup } from './k8s/objects.js'
import { audiences, namespace, outputOption, wish } from './k8s/options.js'
import { argument, command, examples } from './program/command.js'
import { everywhere } from './program/globals.js'

/** Examples, and the exit codes of all commands of a cluster. */
const help = (...lines: readonly string[]) =>
  examples(
    lines,
    '0 done, 1 refused by the cluster or not authenticated, 2 usage, 3 no answer of an API server',
  )

const atCluster = [...cluster, ...everywhere]
const objectForm = outputOption('json', 'yaml')
const account = argument('[account]', 'the service account (default: demo)')
const token = argument('[token]', 'the token; @FILE reads a file, - or nothing reads stdin')

function speed(text: string): number | undefined {
  const value = Number(text)
  return value >= 1 && value <= 100_000 ? value : undefined
}

const tokenCommands = [
  command('token', {
    description: 'request a token of a service account; a pipe gets the token alone',
    words: [account],
    options: [...wish, ...atCluster, outputOption('token', 'json', 'yaml', 'decoded', 'exec-credential')],
    help: help(
      'oauth-lab k8s token --audience api --duration 10m',
      'oauth-lab k8s token demo -n lab --bind pod/web-0 -o decoded',
      'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience api',
      'oauth-lab k8s token builder -n lab --context dev --show-http',
    ),
    run: async () => (await import('./k8s/token.js')).mintToken,
  }),
  command('review', {
    description: 'ask the cluster to review a token; explains a refusal, and what helps',
    words: [token],
    options: [
      ...atCluster,
      option(
        '--audience <names>',
        'audience of the token; repeat it or use commas (default: the API server)',
        audiences,
      ),
      objectForm,
    ],
    help: help(
      'oauth-lab k8s review @/var/run/secrets/tokens/vault --audience vault',
      'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience other',
      'oauth-lab k8s review "$TOKEN" --cluster https://10.0.0.1:6443 --bearer-file mine --cacert ca.crt -o json',
    ),
    run: async () => (await import('./k8s/checks.js')).reviewGiven,
  }),
  command('inspect', {
    description: 'decode a token offline: account, bound object, renewal and expiry',
    words: [token],
    options: [...everywhere, objectForm],
    help: help('oauth-lab k8s inspect @token.jwt', 'pbpaste | oauth-lab k8s inspect - --json'),
    run: async () => (await import('./k8s/checks.js')).inspectToken,
  }),
  command('verify', {
    description: 'verify a token by the published keys, as other programs do, beside the review',
    words: [token],
    options: [
      ...atCluster,
      option('--issuer <url>', 'use the public documents of this issuer (default: those of the cluster)'),
      option('--audience <name>', 'the audience that it must name', audiences),
      objectForm,
    ],
    help: help(
      'oauth-lab k8s verify @token.jwt --audience api',
      'oauth-lab k8s verify - --issuer https://oidc.eks.eu-west-1.amazonaws.com/id/ABC < token.jwt',
    ),
    run: async () => (await import('./k8s/checks.js')).verifyByKeys,
  }),
  command('doctor', {
    description:
      'say if a service can trust the issuer of the cluster, or check a token as its verifier does; exit code 1 on a fault',
    words: [
      argument(
        '[token]',
        'the token; @FILE reads a file, - reads stdin (default: one of the account default)',
      ),
    ],
    options: [
      ...atCluster,
      option('--for <verifier>', 'the verifier', { choices: VERIFIERS, required: true }),
      option('--audience <name>', 'the audience that the verifier is configured with', audiences),
      objectForm,
    ],
    help: help(
      'oauth-lab k8s doctor --for azure',
      'oauth-lab k8s doctor @token.jwt --for api',
      'oauth-lab k8s doctor @token.jwt --for vault --audience vault --context dev',
      'oauth-lab k8s token --audience sts.amazonaws.com | oauth-lab k8s doctor - --for aws',
    ),
    run: async () => (await import('./k8s/checks.js')).examine,
  }),
  command('mount', {
    description:
      'keep a projected volume as the kubelet does, until a signal: renewed at 80 % of the lifetime',
    words: [account],
    options: [
      ...wish,
      ...atCluster,
      option('--dir <folder>', 'the folder; created when it is missing', { required: true }),
      option('--speed <factor>', 'shorten waits by this factor', {
        parse: speed,
        expected: 'Name a number from 1 to 100000.',
        fallback: 1,
      }),
    ],
    help: help(
      'oauth-lab k8s mount --dir /tmp/tokens --audience api --duration 10m',
      'oauth-lab k8s mount --dir /tmp/tokens --audience api --duration 10m --speed 60',
    ),
    run: async () => (await import('./k8s/mount.js')).mountVolume,
  }),
]

/** list, create and delete for one kind of object. */
function objects(group: ObjectGroup, alias: string, one: string) {
  const line = { list: 'list -A', create: 'create example -n lab', delete: 'delete example -n lab' }
  const example = (name: keyof typeof line) => `oauth-lab k8s ${group} ${line[name]}`
  const options = [namespace, ...atCluster, objectForm]
  const ofPods = [
    option('--account <name>', 'the service account it runs as (default: default)'),
    option('--node <name>', 'the node that it is bound to'),
  ]
  return command(group, {
    alias,
    description: `the ${one}s of a namespace: list, create, delete`,
    help: help(example('list'), example('create'), example('delete')),
    below: [
      command('list', {
        description: `list the ${one}s`,
        options: [...options, option('-A, --all-namespaces', 'from all namespaces')],
        help: help(example('list')),
        run: async () => (await import('./k8s/objects.js')).listObjects(group),
      }),
      command('create', {
        description: `make a ${one}`,
        words: [argument('<name>')],
        options: [...options, ...(group === 'pods' ? ofPods : [])],
        help: help(example('create')),
        run: async () => (await import('./k8s/objects.js')).createObject(group),
      }),
      command('delete', {
        description: `delete a ${one}; tokens bound to it are refused from then on`,
        words: [argument('<name>')],
        options,
        help: help(example('delete')),
        run: async () => (await import('./k8s/objects.js')).deleteObject(group),
      }),
    ],
  })
}

const clusterCommands = [
  command('whoami', {
    description: 'print the user that the cluster takes you for',
    options: [...atCluster, objectForm],
    help: help('oauth-lab k8s whoami', 'oauth-lab k8s whoami --bearer-file token.jwt'),
    run: async () => (await import('./k8s/objects.js')).whoAmI,
  }),
  command('discovery', {
    description: "the issuer's metadata, as the cluster publishes it",
    options: [...atCluster, objectForm],
    help: help('oauth-lab k8s discovery', 'oauth-lab k8s discovery --context dev --json | jq -r .issuer'),
    run: async () => (await import('./k8s/objects.js')).printDocument(discoveryRequest),
  }),
  command('jwks', {
    description: 'print the public keys, ready to be uploaded for verifiers that cannot reach the cluster',
    options: [...atCluster, objectForm],
    help: help('oauth-lab k8s jwks', 'oauth-lab k8s jwks --context dev > keys.json'),
    run: async () => (await import('./k8s/objects.js')).printDocument(jwksRequest),
  }),
  objects('accounts', 'sa', 'service account'),
  objects('pods', 'pod', 'pod'),
  command('kubeconfig', {
    description: 'print a kubeconfig for kubectl and other programs',
    words: [argument('[account]', 'a service account to act as (default: the caller)')],
    options: [
      namespace,
      ...atCluster,
      objectForm,
      option(
        '--exec',
        'name this program as the credential plugin, which gets a new token whenever one is needed',
      ),
      option(
        '--oidc',
        'log a user of the lab in, for a cluster that accepts its ID tokens (serve --cluster-oidc)',
      ),
      option('--user <name[:password]>', 'with --oidc: the user of the lab file (default: the first one)'),
      option('--browser', 'with --oidc: log in with your own browser'),
      option('--audience <names>', 'the audiences of those tokens; repeat it or use commas', audiences),
    ],
    help: help(
      'oauth-lab k8s kubeconfig > lab.kubeconfig',
      'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
      'oauth-lab k8s kubeconfig > lab.kubeconfig && kubectl --kubeconfig lab.kubeconfig auth whoami',
      'oauth-lab k8s kubeconfig --exec -n lab > exec.kubeconfig',
      'oauth-lab k8s kubeconfig --oidc --user alice > alice.kubeconfig',
    ),
    run: async () => (await import('./k8s/kubeconfig.js')).printKubeconfig,
  }),
]

/** `oauth-lab k8s`: tokens of service accounts, with the lab's cluster or a real one. */
export const k8sCommand = command('k8s', {
  description: 'Kubernetes service account tokens: request, review, explain',
  help: `${examples([
    'oauth-lab k8s token --audience api --duration 10m',
    'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience api',
    'oauth-lab k8s inspect @token.jwt',
    'oauth-lab k8s doctor @token.jwt --for aws',
    'oauth-lab k8s kubeconfig > lab.kubeconfig',
    'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
  ])}
Without options every command uses the cluster of the lab: the running one, else one that lives as long as the command.
`,
  below: [...tokenCommands, ...clusterCommands],
})
