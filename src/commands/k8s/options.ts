import { type Command, Option } from 'commander'
import { UsageError } from '../../protocol/errors.js'
import type { ClusterOptions } from '../../session/targets/cluster-access.js'
import { type Signs, signsFor } from '../../show/render/text/signs.js'
import { print, printJson } from '../output/output.js'
import { examples } from '../program/examples.js'
import { type Globals, readGlobals, withGlobals } from '../program/globals.js'

/** The options that name a cluster, the caller, and a namespace. */
export interface ClusterFlags
  extends Pick<ClusterOptions, 'kubeconfig' | 'context' | 'cluster' | 'bearerFile'> {
  readonly namespace?: string
  readonly showHttp?: true
  readonly output?: OutputForm
}

/** Adds the options and the examples of a command that talks to a cluster. */
export function withClusterOptions(command: Command, ...lines: readonly string[]): Command {
  const heading = 'Which cluster (default: the one this runs in, else the lab):'
  const add = (flags: string, meaning: string) =>
    command.addOption(new Option(flags, meaning).helpGroup(heading))
  add('--kubeconfig <file>', 'use this kubeconfig; with --context alone, KUBECONFIG or ~/.kube/config')
  add('--context <name>', 'this context of the kubeconfig')
  add('--cluster <url>', 'at this address, with --bearer-file and --cacert')
  add('--bearer-file <file>', 'a token of your own; - reads stdin')
  add('--show-http', 'print each request with its answer, and the equal kubectl and curl lines, on stderr')
  return withGlobals(command).addHelpText('after', k8sExamples(...lines))
}

/** Adds `-n`. */
export function withNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'default: that of the context, else default')
}

/** Collects `--audience a,b --audience c`. */
export function audienceList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').map(each => each.trim())]
}

/** Examples, and the exit codes of all commands of a cluster. */
export const k8sExamples = (...lines: readonly string[]): string =>
  examples(
    lines,
    '0 done, 1 refused by the cluster or not authenticated, 2 usage, 3 no answer of an API server',
  )

/** The forms of a result. */
export type OutputForm = 'token' | 'json' | 'yaml' | 'decoded' | 'exec-credential'

/** `-o`, with the forms that a command has. */
export function outputOption(...forms: readonly OutputForm[]): Option {
  return new Option('-o, --output <form>', 'output format').choices([...forms])
}

/** The options of one run that decide how its result is written. */
export interface Run {
  readonly globals: Globals
  readonly signs: Signs
  readonly form: OutputForm | undefined
}

/**
 * Reads the options that every command has. `--json` means `-o json`.
 * @throws UsageError for `--json` with another form
 */
export function readRun({ output }: Pick<ClusterFlags, 'output'>, command: Command): Run {
  const globals = readGlobals(command)
  if (globals.json && output !== undefined && output !== 'json') {
    throw new UsageError(`--json and -o ${output} are two forms`, ['Leave one out'])
  }
  return { globals, signs: signsFor(globals), form: globals.json ? 'json' : output }
}

/** Prints an object as JSON on one line, or as YAML. */
export async function printObject(form: 'json' | 'yaml', object: unknown): Promise<void> {
  if (form === 'json') return printJson(object)
  const [{ stringify }, { yamlText }] = await Promise.all([
    import('yaml'),
    import('../../show/render/text/yaml-text.js'),
  ])
  process.stdout.write(yamlText(object, stringify))
}

/** Prints a result: as an object when a program reads it, else as lines. */
export async function printResult(
  { form }: Run,
  object: unknown,
  lines: () => readonly string[],
): Promise<void> {
  if (form === 'json' || form === 'yaml') await printObject(form, object)
  else print(...lines())
}
