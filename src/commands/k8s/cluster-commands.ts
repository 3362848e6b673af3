import { Command } from 'commander'
import type { DocumentFlags } from './documents.js'
import { helpAfter } from './help.js'
import type { KubeconfigFlags } from './kubeconfig.js'
import type { ObjectFlags, ObjectGroup } from './objects.js'
import { type OutputForm, outputOption } from './output-form.js'
import { audienceList, type TargetFlags, withNamespace, withTarget } from './target-options.js'

const whoami = () =>
  withTarget(new Command('whoami'))
    .description('as whom the cluster knows you')
    .addOption(outputOption('json', 'yaml'))
    .addHelpText('after', helpAfter('oauth-lab k8s whoami', 'oauth-lab k8s whoami --bearer-file token.jwt'))
    .action(async (flags: TargetFlags & { readonly output?: OutputForm }, command: Command) =>
      (await import('./whoami.js')).whoAmI(flags, command),
    )

const discovery = () =>
  withTarget(new Command('discovery'))
    .description("the issuer's metadata, as the cluster publishes it")
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      helpAfter('oauth-lab k8s discovery', 'oauth-lab k8s discovery --context dev --json | jq -r .issuer'),
    )
    .action(async (flags: DocumentFlags, command: Command) =>
      (await import('./documents.js')).printDiscovery(flags, command),
    )

const jwks = () =>
  withTarget(new Command('jwks'))
    .description('the public keys, ready to be uploaded where the cluster cannot be reached')
    .addOption(outputOption('json', 'yaml'))
    .addHelpText('after', helpAfter('oauth-lab k8s jwks', 'oauth-lab k8s jwks --context dev > keys.json'))
    .action(async (flags: DocumentFlags, command: Command) =>
      (await import('./documents.js')).printJwks(flags, command),
    )

const kubeconfig = () =>
  withTarget(
    withNamespace(
      new Command('kubeconfig').argument('[account]', 'a service account to be (default: whoever you are)'),
    ),
  )
    .description('print a kubeconfig for kubectl and other programs')
    .addOption(outputOption('json', 'yaml'))
    .option('--exec', 'with this program as the credential plugin: a new token whenever one is needed')
    .option('--audience <names>', 'the audiences of those tokens; repeat it or use commas', audienceList)
    .addHelpText(
      'after',
      helpAfter(
        'oauth-lab k8s kubeconfig > lab.kubeconfig',
        'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
        'kubectl --kubeconfig <(oauth-lab k8s kubeconfig) auth whoami',
        'oauth-lab k8s kubeconfig --exec -n lab > exec.kubeconfig',
      ),
    )
    .action(async (account: string | undefined, flags: KubeconfigFlags, command: Command) =>
      (await import('./kubeconfig.js')).printKubeconfig(account, flags, command),
    )

/** list, create and delete for one kind of object. */
function objects(group: ObjectGroup, alias: string, one: string): Command {
  const sub = (name: string, description: string, ...examples: readonly string[]) =>
    withTarget(withNamespace(new Command(name)))
      .description(description)
      .addOption(outputOption('json', 'yaml'))
      .addHelpText('after', helpAfter(...examples))
  const create = sub('create', `make a ${one}`, `oauth-lab k8s ${group} create example -n lab`).argument(
    '<name>',
  )
  if (group === 'pods') {
    create
      .option('--account <name>', 'the service account it runs as (default: default)')
      .option('--node <name>', 'the node it is bound to')
  }
  return new Command(group)
    .alias(alias)
    .description(`the ${one}s of a namespace: list, create, delete`)
    .addHelpText(
      'after',
      helpAfter(
        `oauth-lab k8s ${group} list -A`,
        `oauth-lab k8s ${group} create example -n lab`,
        `oauth-lab k8s ${group} delete example -n lab`,
      ),
    )
    .addCommand(
      sub('list', `list the ${one}s`, `oauth-lab k8s ${group} list -A`)
        .option('-A, --all-namespaces', 'of all namespaces')
        .action(async (flags: ObjectFlags, command: Command) =>
          (await import('./objects.js')).listObjects(group, flags, command),
        ),
    )
    .addCommand(
      create.action(async (name: string, flags: ObjectFlags, command: Command) =>
        (await import('./objects.js')).createObject(group, name, flags, command),
      ),
    )
    .addCommand(
      sub(
        'delete',
        `delete a ${one}; tokens bound to it are refused from then on`,
        `oauth-lab k8s ${group} delete example -n lab`,
      )
        .argument('<name>')
        .action(async (name: string, flags: ObjectFlags, command: Command) =>
          (await import('./objects.js')).deleteObject(group, name, flags, command),
        ),
    )
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
