import { type Command, Option } from 'commander'
import { withGlobals } from '../globals.js'

/** Which cluster, as whom, and where in it. */
export interface TargetFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly cluster?: string
  readonly bearerFile?: string
  readonly namespace?: string
  readonly showHttp?: true
}

/** Adds the options of every command that speaks with a cluster. */
export function withTarget(command: Command): Command {
  const heading = 'Which cluster (default: the one this runs in, else the lab):'
  const add = (flags: string, meaning: string) =>
    command.addOption(new Option(flags, meaning).helpGroup(heading))
  add('--kubeconfig <file>', 'by this kubeconfig; with --context alone KUBECONFIG or ~/.kube/config')
  add('--context <name>', 'this context of the kubeconfig')
  add('--cluster <url>', 'at this address, with --bearer-file and --cacert')
  add('--bearer-file <file>', 'a token of your own; - reads stdin')
  add('--show-http', 'print each request with its answer, and the equal kubectl and curl lines, on stderr')
  return withGlobals(command)
}

/** Adds `-n`. */
export function withNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'default: that of the context, else default')
}

/** Collects `--audience a,b --audience c`. */
export function audienceList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').map(each => each.trim())]
}
