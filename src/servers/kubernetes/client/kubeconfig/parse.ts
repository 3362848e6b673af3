import { UsageError } from '../../../../protocol/errors.js'
import { isJsonObject, type JsonObject } from '../../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../../protocol/yaml-text.js'
import type { Entry, Kubeconfig } from './shape.js'

/** The types of optional members. `null` means absent, as in Go. */
const types: Readonly<Record<string, Readonly<Record<string, 'string' | 'boolean' | 'object'>>>> = {
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
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Returns the problem of an exec entry, or undefined for a valid entry. */
function execProblem({
  command,
  args,
  env,
  apiVersion,
  interactiveMode,
  installHint,
}: JsonObject): string | undefined {
  if (!isText(command) || command === '') return 'exec has no command'
  if (args !== undefined && args !== null && !(Array.isArray(args) && args.every(isText))) {
    return 'exec.args is no list of texts'
  }
  const pair = (each: unknown) => isJsonObject(each) && isText(each.name) && isText(each.value)
  if (env !== undefined && env !== null && !(Array.isArray(env) && env.every(pair))) {
    return 'exec.env is no list of name and value'
  }
  for (const [name, value] of Object.entries({ apiVersion, interactiveMode, installHint })) {
    if (value !== undefined && value !== null && !isText(value)) return `exec.${name} is no text`
  }
  return undefined
}

/** Returns the problem of an entry, without its values, which may be secret. */
function entryProblem(what: string, value: JsonObject): string | undefined {
  for (const [name, type] of Object.entries(types[what] ?? {})) {
    const member = value[name]
    const ok = type === 'object' ? isJsonObject(member) : typeof member === type
    if (member !== undefined && member !== null && !ok)
      return `${name} is no ${type === 'string' ? 'text' : type}`
  }
  return isJsonObject(value.exec) ? execProblem(value.exec) : undefined
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** Returns the named entries of a list such as `clusters`. The first entry of a name counts. */
function entries<T>(
  list: unknown,
  what: 'cluster' | 'user' | 'context',
  file: string,
): Map<string, Entry<T>> {
  const wrong = (problem: string) => new UsageError(`the kubeconfig ${file}: ${problem}`)
  if (list === undefined || list === null) return new Map()
  if (!Array.isArray(list)) throw wrong(`${what}s is no list`)
  const found = new Map<string, Entry<T>>()
  for (const [i, each] of list.entries()) {
    if (!isJsonObject(each) || typeof each.name !== 'string') throw wrong(`${what}s[${i}] has no name`)
    const value = each[what] ?? {}
    if (!isJsonObject(value)) throw wrong(`the ${what} ${each.name} holds no ${what}`)
    const problem = entryProblem(what, value)
    if (problem !== undefined) throw wrong(`the ${what} ${each.name}: ${problem}`)
    if (!found.has(each.name)) found.set(each.name, { value: withoutNulls(value) as T, file })
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
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
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
