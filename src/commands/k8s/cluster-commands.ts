import { Command } from 'commander'
import { discoveryRequest, jwksRequest } from '../../servers/kubernetes/client/requests.js'
import { lazily } from '../program/lazily.js'
import type { ObjectGroup } from './objects.js'
import { audienceList, k8sExamples, outputOption, withClusterOptions, withNamespace } from './options.js'

/** A command of a cluster without arguments. */
const query = (name: string, description: string, ...lines: readonly string[]) =>
  withClusterOptions(new Command(name), ...lines)
    .description(description)
    .addOption(outputOption('json', 'yaml'))

const whoami = () =>
  query(
    'whoami',
    'print the user that the cluster takes you for',
    'oauth-lab k8s whoami',
    'oauth-lab k8s whoami --bearer-file token.jwt',
  ).action(lazily(async () => (await import('./whoami.js')).whoAmI))

const discovery = () =>
  query(
    'discovery',
    "the issuer's metadata, as the cluster publishes it",
    'oauth-lab k8s discovery',
    'oauth-lab k8s discovery --context dev --json | jq -r .issuer',
  ).action(lazily(async () => (await import('./documents.js')).printDocument(discoveryRequest)))

const jwks = () =>
  query(
    'jwks',
    'print the public keys, ready to be uploaded for verifiers that cannot reach the cluster',
    'oauth-lab k8s jwks',
    'oauth-lab k8s jwks --context dev > keys.json',
  ).action(lazily(async () => (await import('./documents.js')).printDocument(jwksRequest)))

const kubeconfig = () =>
  withClusterOptions(
    withNamespace(
      new Command('kubeconfig').argument('[account]', 'a service account to act as (default: the caller)'),
    ),
    'oauth-lab k8s kubeconfig > lab.kubeconfig',
    'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
    'kubectl --kubeconfig <(oauth-lab k8s kubeconfig) auth whoami',
    'oauth-lab k8s kubeconfig --exec -n lab > exec.kubeconfig',
    'oauth-lab k8s kubeconfig --oidc --user alice > alice.kubeconfig',
  )
    .description('print a kubeconfig for kubectl and other programs')
    .addOption(outputOption('json', 'yaml'))
    .option(
      '--exec',
      'name this program as the credential plugin, which gets a new token whenever one is needed',
    )
    .option(
      '--oidc',
      'log a user of the lab in, for a cluster that accepts its ID tokens (serve --cluster-oidc)',
    )
    .option('--user <name[:password]>', 'with --oidc: the user of the lab file (default: the first one)')
    .option('--browser', 'with --oidc: log in with your own browser')
    .option('--audience <names>', 'the audiences of those tokens; repeat it or use commas', audienceList)
    .action(lazily(async () => (await import('./kubeconfig.js')).printKubeconfig))

/** list, create and delete for one kind of object. */
function objects(group: ObjectGroup, alias: string, one: string): Command {
  const line = { list: 'list -A', create: 'create example -n lab', delete: 'delete example -n lab' }
  const example = (name: keyof typeof line) => `oauth-lab k8s ${group} ${line[name]}`
  const sub = (name: keyof typeof line, description: string) =>
    withClusterOptions(withNamespace(new Command(name)), example(name))
      .description(description)
      .addOption(outputOption('json', 'yaml'))
  const list = sub('list', `list the ${one}s`)
    .option('-A, --all-namespaces', 'from all namespaces')
    .action(lazily(async () => (await import('./objects.js')).listObjects(group)))
  const create = sub('create', `make a ${one}`)
    .argument('<name>')
    .action(lazily(async () => (await import('./objects.js')).createObject(group)))
  if (group === 'pods') {
    create
      .option('--account <name>', 'the service account it runs as (default: default)')
      .option('--node <name>', 'the node that it is bound to')
  }
  const remove = sub('delete', `delete a ${one}; tokens bound to it are refused from then on`)
    .argument('<name>')
    .action(lazily(async () => (await import('./objects.js')).deleteObject(group)))
  const commands = new Command(group)
    .alias(alias)
    .description(`the ${one}s of a namespace: list, create, delete`)
    .addHelpText('after', k8sExamples(example('list'), example('create'), example('delete')))
  for (const command of [list, create, remove]) commands.addCommand(command)
  return commands
}

/** The commands about a cluster. */
export function clusterCommands(): Command[] {
  return [
    whoami(),
    discovery(),
    jwks(),
    objects('accounts', 'sa', 'service account'),
    objects('pods', 'pod', 'pod'),
    kubeconfig(),
  ]
}
