import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For a lab that leaves no files behind. */
export interface MemoryState {
  read(name: string): string | undefined
  /** Returns the text. */
  write(name: string, text: string): string
  /** Takes the lock of a name. Undefined while another run has it. */
  take(name: string): (() => void) | undefined
  /** Changes with every write; undefined for an unknown name. */
  version(name: string): string | undefined
  /** Absolute path of a temporary file with the text, made by the first call. */
  path(name: string): string
  remove(): void
}

export function memoryState(): MemoryState {
  const texts = new Map<string, { readonly text: string; readonly version: number }>()
  const shown = new Set<string>()
  const taken = new Set<string>()
  let writes = 0
  let folder: string | undefined

  const place = (name: string) => {
    folder ??= mkdtempSync(join(tmpdir(), 'oauth-lab-'))
    return join(folder, name)
  }
  return {
    read: name => texts.get(name)?.text,
    write(name, text) {
      writes += 1
      texts.set(name, { text, version: writes })
      if (shown.has(name)) writeFileSync(place(name), text, { mode: 0o600 })
      return text
    },
    take(name) {
      if (taken.has(name)) return undefined
      taken.add(name)
      return () => taken.delete(name)
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
