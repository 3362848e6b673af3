import { chmod, mkdtemp, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileProblem, NO_FOLDER, UsageError, UserError } from '../../../protocol/errors.js'
import type { TokenRequest } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import type { Asked } from './granted.js'
import type { AskCluster } from './requests.js'
import { tokenRequest } from './requests.js'
import { secondsUntilRenewal } from './service-account-token.js'

/** The seconds until the next attempt after a failed renewal. */
const RETRY = 10

/** The kubelet renews up to this many seconds earlier, so that pods do not all send requests at once. */
const MAX_JITTER = 10

/** The account of the token in a volume, and the folder of the volume. */
interface MountedToken {
  readonly dir: string
  readonly namespace: string
  readonly account: string
  readonly asked: Asked
}

/** The ports to the cluster and the file system. */
interface MountPorts {
  readonly access: ClusterAccess
  readonly ask: AskCluster
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Creates a folder and its parents. An existing folder is not an error. */
  readonly makeFolder: (path: string) => Promise<unknown>
}

/** One generation of the files in a volume. */
export interface WrittenVolume {
  readonly folder: string
  /** Milliseconds since the epoch; NaN when the cluster names no time. */
  readonly expires: number
  /** The lifetime in seconds, by the clock of the cluster. */
  readonly renewIn: number
}

/**
 * Requests a token and writes it into the volume with the CA and the namespace, as in pods.
 * @throws UsageError when the volume cannot be written, and the errors of `ask`
 */
async function renew(
  { dir, namespace, account, asked }: MountedToken,
  { access, ask, now, makeFolder }: MountPorts,
): Promise<WrittenVolume> {
  const { object } = await ask<TokenRequest>(tokenRequest(namespace, account, asked))
  const token = object.status?.token ?? ''
  const ca: Record<string, string> = access.caPem === undefined ? {} : { 'ca.crt': access.caPem }
  try {
    await makeFolder(dir)
    const folder = await writeProjectedVolume(dir, { token, ...ca, namespace }, now())
    const lifetime = object.spec?.expirationSeconds ?? 3600
    return {
      folder,
      expires: Date.parse(object.status?.expirationTimestamp ?? ''),
      renewIn: Math.max(1, secondsUntilRenewal(lifetime) - Math.random() * MAX_JITTER),
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const hints =
      code === 'EEXIST' ? ['Something else is there under one of the names: name an empty folder.'] : []
    throw new UsageError(`cannot write the volume ${dir}: ${fileProblem(error, NO_FOLDER)}`, hints)
  }
}

/**
 * Maintains a volume as the kubelet does. Yields each generation, and each error that leaves the old token in place.
 * @param options.speed factor by which waits are shortened
 * @throws UsageError when the first generation cannot be written, the errors of `ask` for it, and the reason of the signal
 */
export async function* keepMounted(
  mounted: MountedToken,
  ports: MountPorts,
  { speed, signal }: { readonly speed: number; readonly signal: AbortSignal },
): AsyncGenerator<WrittenVolume | UserError> {
  const first = await renew(mounted, ports)
  let wait = first.renewIn
  yield first
  for (;;) {
    await delay((wait * 1000) / speed, undefined, { signal })
    const next = await renew(mounted, ports).catch((error: unknown) => {
      if (!signal.aborted && error instanceof UserError) return error
      throw error
    })
    wait = next instanceof UserError ? RETRY : next.renewIn
    yield next
  }
}

/** The files of a volume: texts by name. */
type VolumeFiles = Readonly<Record<string, string>>

/** Returns the folder name of a generation in the form of the kubelet: `..2026_11_21_11_05_17.` */
function generationName(now: number): string {
  return `..${new Date(now).toISOString().slice(0, 19).replace(/[-T:]/g, '_')}.`
}

/** Replaces a symbolic link atomically: a reader sees the old target or the new one. */
async function link(target: string, path: string): Promise<void> {
  const draft = `${path}_tmp`
  await rm(draft, { force: true })
  await symlink(target, draft)
  await rename(draft, path)
}

async function target(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined)
}

/**
 * Writes a generation of a projected volume as the kubelet does (AtomicWriter). The files go into a new folder, the link `..data` then moves to the
 * folder atomically, and each visible name is a link through `..data`.
 * @param dir an existing folder
 * @returns the name of the folder
 * @throws errors of node
 */
async function writeProjectedVolume(dir: string, files: VolumeFiles, now: number): Promise<string> {
  const folder = await mkdtemp(join(dir, generationName(now)))
  const name = folder.slice(dir.length).replace(/^[/\\]+/, '')
  await chmod(folder, 0o755)
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(folder, file), text, { mode: 0o600 })
  }
  const before = await target(join(dir, '..data'))
  await link(name, join(dir, '..data'))
  for (const file of Object.keys(files)) {
    const path = join(dir, file)
    const wanted = join('..data', file)
    const there = await target(path)
    if (there === wanted) continue
    if (there !== undefined) await unlink(path)
    await symlink(wanted, path)
  }
  // Only links through `..data` are removed. A name that leads elsewhere stays.
  if (before !== undefined && /^\.\.\d{4}_[\w.]+$/.test(before)) {
    await rm(join(dir, before), { recursive: true, force: true })
  }
  return name
}
