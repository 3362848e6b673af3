import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { UsageError } from '../../../../protocol/errors.js'
import { mergeKubeconfigs, parseKubeconfig } from './parse.js'
import type { Kubeconfig } from './shape.js'

/** The largest kubeconfig, in bytes. Kubeconfigs of large companies have some hundred kilobytes. */
const MAX_KUBECONFIG = 4 * 1024 * 1024

/** The settings that locate kubeconfigs. */
export interface KubeconfigPlaces {
  /** The file of `--kubeconfig`, which is then the only one. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

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
    throw new UsageError(`cannot read the kubeconfig ${file} (${code})`)
  }
  return parseKubeconfig(text, file)
}

/**
 * Loads the kubeconfig that kubectl would load: the named file, else the merged files of KUBECONFIG without missing ones, else `~/.kube/config`.
 * @throws UsageError
 */
export async function loadKubeconfig({ file, env }: KubeconfigPlaces): Promise<Kubeconfig> {
  if (file !== undefined) {
    const named = await readOne(resolve(file))
    if (named === undefined) throw new UsageError(`there is no kubeconfig ${file}`)
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
