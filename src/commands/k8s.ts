import { Command } from 'commander'
import { clusterCommands } from './k8s/cluster-commands.js'
import { tokenCommands } from './k8s/token-commands.js'
import { examples } from './program/examples.js'

const lines = examples([
  'oauth-lab k8s token --audience api --duration 10m',
  'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience api',
  'oauth-lab k8s inspect @token.jwt',
  'oauth-lab k8s doctor @token.jwt --for aws',
  'oauth-lab k8s kubeconfig > lab.kubeconfig',
  'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
])

const DEFAULT_CLUSTER =
  'Without options every command uses the cluster of the lab: the running one, else one that lives as long as the command.'

/** `oauth-lab k8s`: tokens of service accounts, with the lab's cluster or a real one. */
export function k8sCommand(): Command {
  const k8s = new Command('k8s')
    .description('Kubernetes service account tokens: request, review, explain')
    .addHelpText('after', `${lines}\n${DEFAULT_CLUSTER}\n`)
  for (const command of [...tokenCommands(), ...clusterCommands()]) k8s.addCommand(command)
  return k8s
}
