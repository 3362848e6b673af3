import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Tarball } from '../../servers/room/plain-site.js'

/** The folder of this program, as npm installed it. */
const program = fileURLToPath(new URL('../../..', import.meta.url))

/** Milliseconds. */
const LIMIT = 60_000

/** Packs this very program, with what it needs, so that it installs without a registry. Undefined where npm is missing, or fails. */
async function pack(): Promise<Tarball | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'oauth-lab-pack-'))
  try {
    // On Windows npm is a batch file, which only a shell runs; the one path in the line comes from the system.
    const shell = process.platform === 'win32'
    const to = shell ? JSON.stringify(folder) : folder
    const args = ['pack', '--ignore-scripts', '--silent', '--offline', '--pack-destination', to]
    await promisify(execFile)('npm', args, { cwd: program, timeout: LIMIT, shell })
    const [name = ''] = await readdir(folder)
    const bytes = await readFile(join(folder, name))
    return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Makes the tarball of this program once, when it is wanted first.
 * @param packed called once, with undefined where it cannot be made
 */
export function programTarball(
  packed: (tarball: Tarball | undefined) => void = () => {},
): () => Promise<Tarball | undefined> {
  let making: Promise<Tarball | undefined> | undefined
  return () => {
    making ??= pack().then(made => {
      packed(made)
      return made
    })
    return making
  }
}
