import { chmod, mkdtemp, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a volume: name and text. */
export type VolumeFiles = Readonly<Record<string, string>>

/** `..2026_11_21_11_05_17.` as the kubelet names the folder of one generation. */
function generationName(now: number): string {
  return `..${new Date(now).toISOString().slice(0, 19).replace(/[-T:]/g, '_')}.`
}

/** Makes a symbolic link in one move: a reader sees the old target or the new one. */
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
 * Writes a generation of a projected volume as the kubelet does (AtomicWriter): the files go into a folder of their
 * own, then the link `..data` moves to it at once, and each visible name is a link through `..data`.
 * @param dir a folder that is there
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
  // Only what was ours: a name that leads elsewhere stays.
  if (before !== undefined && /^\.\.\d{4}_[\w.]+$/.test(before)) {
    await rm(join(dir, before), { recursive: true, force: true })
  }
  return name
}
