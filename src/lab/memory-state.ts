import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** State of a lab that leaves nothing behind: what would be files of the state folder, in memory. */
export interface MemoryState {
  read(name: string): string | undefined
  /**
   * @param exclusive leave what is there already
   * @returns the text that is held now
   */
  write(name: string, text: string, exclusive: boolean): string
  /** Changes with every write; undefined where there is nothing. */
  version(name: string): string | undefined
  /** Absolute path of a file with the text, for programs that take nothing else. Made when it is first asked for. */
  path(name: string): string
  /** Removes what `path` made. */
  remove(): void
}

/** An empty state in memory. */
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
