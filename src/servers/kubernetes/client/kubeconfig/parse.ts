import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileProblem, UsageError } from '../../../../protocol/errors.js'
import { isJsonObject, type JsonObject } from '../../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../../protocol/yaml-text.js'

/**
 * The members of a kubeconfig that this program reads, named as in the file
 * (https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/). All are optional, and `null` means absent, as in Go.
 */
const MEMBERS = {
  cluster: {
    server: 'string',
    'tls-server-name': 'string',
    'insecure-skip-tls-verify': 'boolean',
    'certificate-authority': 'string',
    'certificate-authority-data': 'string',
    'proxy-url': 'string',
  },
  user: {
    'client-certificate': 'string',
    'client-certificate-data': 'string',
    'client-key': 'string',
    'client-key-data': 'string',
    token: 'string',
    tokenFile: 'string',
    username: 'string',
    password: 'string',
    exec: 'object',
  },
  context: { cluster: 'string', user: 'string', namespace: 'string' },
} as const

type Kind = keyof typeof MEMBERS

/** The value of an entry of a kind. */
export type Value<Of extends Kind> = {
  readonly [Name in keyof (typeof MEMBERS)[Of]]?: {
    readonly string: string
    readonly boolean: boolean
    readonly object: ExecEntry
  }[(typeof MEMBERS)[Of][Name] & ('boolean' | 'object' | 'string')]
}

/** A credential plugin: a program that prints an ExecCredential. */
export interface ExecEntry {
  readonly apiVersion?: string
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: string
}

/** A value with its file. Paths in the value are relative to the folder of that file. */
export interface In<Value> {
  readonly value: Value
  /** The absolute path of the file. */
  readonly file: string
}

/** One kubeconfig, or several merged. */
export interface Kubeconfig {
  readonly files: readonly string[]
  readonly currentContext?: string
  readonly clusters: ReadonlyMap<string, In<Value<'cluster'>>>
  readonly users: ReadonlyMap<string, In<Value<'user'>>>
  readonly contexts: ReadonlyMap<string, In<Value<'context'>>>
}

/** Returns the error for a kubeconfig that cannot be used. */
export const wrongIn = (file: string, problem: string, hints: readonly string[] = []): UsageError =>
  new UsageError(`the kubeconfig ${file}: ${problem}`, hints)

const isText = (value: unknown): boolean => typeof value === 'string'

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Returns the problem of an exec entry, or undefined for a valid entry. */
function execProblem({ command, args, env, ...exec }: JsonObject): string | undefined {
  if (!isText(command) || command === '') return 'exec has no command'
  if (!isAbsent(args) && !(Array.isArray(args) && args.every(isText))) return 'exec.args is no list of texts'
  const pair = (each: unknown) => isJsonObject(each) && isText(each.name) && isText(each.value)
  if (!isAbsent(env) && !(Array.isArray(env) && env.every(pair)))
    return 'exec.env is no list of name and value'
  const wrong = ['apiVersion', 'interactiveMode', 'installHint'].find(
    name => !isAbsent(exec[name]) && !isText(exec[name]),
  )
  return wrong && `exec.${wrong} is no text`
}

/** Returns the problem of an entry, without its values, which may be secret. */
function entryProblem(what: Kind, value: JsonObject): string | undefined {
  for (const [name, type] of Object.entries(MEMBERS[what])) {
    const member = value[name]
    const ok = type === 'object' ? isJsonObject(member) : typeof member === type
    if (!isAbsent(member) && !ok) return `${name} is no ${type === 'string' ? 'text' : type}`
  }
  return isJsonObject(value.exec) ? execProblem(value.exec) : undefined
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** Returns the named entries of a list such as `clusters`. The first entry of a name counts. */
function entries<Of extends Kind>(list: unknown, what: Of, file: string): Map<string, In<Value<Of>>> {
  if (isAbsent(list)) return new Map()
  if (!Array.isArray(list)) throw wrongIn(file, `${what}s is no list`)
  const found = new Map<string, In<Value<Of>>>()
  for (const [i, each] of list.entries()) {
    if (!isJsonObject(each) || typeof each.name !== 'string') {
      throw wrongIn(file, `${what}s[${i}] has no name`)
    }
    const value = each[what] ?? {}
    if (!isJsonObject(value)) throw wrongIn(file, `the ${what} ${each.name} holds no ${what}`)
    const problem = entryProblem(what, value)
    if (problem !== undefined) throw wrongIn(file, `the ${what} ${each.name}: ${problem}`)
    if (!found.has(each.name)) found.set(each.name, { value: withoutNulls(value) as Value<Of>, file })
  }
  return found
}

/**
 * Parses one kubeconfig, YAML or JSON.
 * @param file absolute path, for messages and relative paths
 * @throws UsageError
 */
export async function parseKubeconfig(text: string, file: string): Promise<Kubeconfig> {
  let value: unknown
  try {
    value = (await parseYaml(text)).value
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error
    const { message, line, column } = error
    throw new UsageError(`the kubeconfig ${file} is not YAML: ${message} at line ${line}, column ${column}`)
  }
  if (value === null || value === undefined) throw new UsageError(`the kubeconfig ${file} is empty`)
  if (!isJsonObject(value) || (value.kind !== undefined && value.kind !== 'Config')) {
    const kind = isJsonObject(value) ? `a ${String(value.kind).slice(0, 60)}` : 'something else'
    throw new UsageError(`${file} is no kubeconfig but ${kind}`, ['A kubeconfig says  kind: Config'])
  }
  if (value.kind === undefined && !('clusters' in value) && !('contexts' in value) && !('users' in value)) {
    throw new UsageError(`${file} is no kubeconfig: it has no clusters, users or contexts`)
  }
  const current = value['current-context']
  return {
    files: [file],
    ...(typeof current === 'string' && current !== '' && { currentContext: current }),
    clusters: entries(value.clusters, 'cluster', file),
    users: entries(value.users, 'user', file),
    contexts: entries(value.contexts, 'context', file),
  }
}

/** Merges kubeconfigs. The first file that defines a name wins, as kubectl merges the files of KUBECONFIG. */
function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(maps: readonly ReadonlyMap<string, T>[]) =>
    new Map(maps.toReversed().flatMap(map => [...map]))
  const currentContext = configs.find(each => each.currentContext !== undefined)?.currentContext
  return {
    files: configs.flatMap(({ files }) => files),
    ...(currentContext !== undefined && { currentContext }),
    clusters: first(configs.map(({ clusters }) => clusters)),
    users: first(configs.map(({ users }) => users)),
    contexts: first(configs.map(({ contexts }) => contexts)),
  }
}

/** The largest kubeconfig, in bytes. Kubeconfigs of large companies have some hundred kilobytes. */
const MAX_KUBECONFIG = 4 * 1024 * 1024

async function readOne(file: string): Promise<Kubeconfig | undefined> {
  let text: string
  try {
    // A path that is not a regular file, such as the <(…) of a shell, has no size to check first.
    const found = await stat(file)
    if (found.isDirectory()) throw new UsageError(`the kubeconfig ${file} is a folder`)
    if (found.size > MAX_KUBECONFIG) throw new UsageError(`the kubeconfig ${file} is larger than 4 MiB`)
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new UsageError(`cannot read the kubeconfig ${file}: ${fileProblem(error)}`)
  }
  return parseKubeconfig(text, file)
}

/**
 * Loads the kubeconfig that kubectl would load: the named file, else the merged files of KUBECONFIG without missing ones, else `~/.kube/config`.
 * @param places.file the file of `--kubeconfig`, which is then the only one
 * @throws UsageError
 */
export async function loadKubeconfig({
  file,
  env,
}: {
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}): Promise<Kubeconfig> {
  if (file !== undefined) {
    const named = await readOne(resolve(file))
    if (named === undefined) {
      throw new UsageError(`there is no kubeconfig ${file}`, [
        'That of the lab:   oauth-lab k8s kubeconfig > lab.kubeconfig',
      ])
    }
    return named
  }
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter(each => each !== '')
  const files = listed.length > 0 ? listed : [join(env.HOME || homedir(), '.kube', 'config')]
  const found = await Promise.all([...new Set(files)].map(each => readOne(resolve(each))))
  const configs = found.filter(config => config !== undefined)
  if (configs.length === 0) {
    throw new UsageError(`there is no kubeconfig: looked for ${files.join(' and ')}`, [
      'Name one:   --kubeconfig FILE',
      'Without --context and --kubeconfig the lab is used.',
    ])
  }
  return mergeKubeconfigs(configs)
}
