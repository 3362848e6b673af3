import { chmod, mkdtemp, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a volume: texts by name. */
export type VolumeFiles = Readonly<Record<string, string>>

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
export async function writeProjectedVolume(dir: string, files: VolumeFiles, now: number): Promise<string> {
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
