import { UsageError } from '../../protocol/errors.js'
import { option, type Typed } from '../../session/options/option.js'
import type { cluster } from '../../session/options/table.js'
import { type Signs, signsFor } from '../../show/render/text/signs.js'
import { print, printData, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'

export const namespace = option('-n, --namespace <name>', 'default: that of the context, else default')

/** Reads `--audience a,b --audience c`. */
export const audiences = {
  parse: (text: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    ...text.split(',').map(each => each.trim()),
  ],
}

/** The options that describe a token to ask for. */
export const wish = [
  namespace,
  option('--audience <names>', 'audience that accepts it; repeat it or use commas', audiences),
  option('--duration <time>', 'lifetime: 10m, 1h; at least 10m'),
  option('--bind <object>', 'bind it to an object: pod/web-0, secret/demo-key or node/node-1'),
]

/** The forms of a result. */
export type OutputForm = 'token' | 'json' | 'yaml' | 'decoded' | 'exec-credential'

/** `-o`, with the forms that a command has. */
export const outputOption = <const Form extends OutputForm>(...forms: readonly Form[]) =>
  option('-o, --output <form>', 'output format', { choices: forms })

/** The options that name a cluster, the caller, a namespace, and the form of the result. */
export type ClusterFlags = Typed<typeof cluster> &
  Typed<(typeof namespace)[]> & { readonly output?: OutputForm }

/** The same, with those of a token to ask for. */
export type TokenFlags = ClusterFlags & Typed<typeof wish>

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
export function readRun({ output }: Pick<ClusterFlags, 'output'>, globals: Globals): Run {
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
    import('../../show/render/text/list-text.js'),
  ])
  printData(yamlText(object, stringify).trimEnd())
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

/** Flags of `k8s kubeconfig`. */
export interface KubeconfigFlags extends ClusterFlags {
  readonly exec?: true
  readonly oidc?: true
  readonly user?: string
  readonly browser?: true
  readonly audience?: readonly string[]
}
