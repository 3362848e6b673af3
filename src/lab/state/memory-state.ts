import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of a state folder, in memory, for a lab that leaves no files behind. */
export interface MemoryState {
  read(name: string): string | undefined
  /**
   * @param exclusive keep a text that exists already
   * @returns the text that is kept now
   */
  write(name: string, text: string, exclusive: boolean): string
  /** Returns a value that changes with every write; undefined for an unknown name. */
  version(name: string): string | undefined
  /** Returns the absolute path of a temporary file with the text, for other programs. The first call makes the file. */
  path(name: string): string
  /** Removes the temporary files. */
  remove(): void
}

/** Creates an empty state in memory. */
export function memoryState(): MemoryState {
  const texts = new Map<string, { readonly text: string; readonly version: number }>()
  const shown = new Set<string>()
  let writes = 0
  let folder: string | undefined

  const place = (name: string) => {
    folder ??= mkdtempSync(join(tmpdir(), 'oauth-lab-'))
    return join(folder, name)
  }
  return {
    read: name => texts.get(name)?.text,
    write(name, text, exclusive) {
      const held = texts.get(name)
      if (exclusive && held) return held.text
      writes += 1
      texts.set(name, { text, version: writes })
      if (shown.has(name)) writeFileSync(place(name), text, { mode: 0o600 })
      return text
    },
    version: name => texts.get(name)?.version.toString(),
    path(name) {
      const file = place(name)
      if (!shown.has(name)) {
        shown.add(name)
        writeFileSync(file, texts.get(name)?.text ?? '', { mode: 0o600 })
      }
      return file
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
      shown.clear()
    },
  }
}
