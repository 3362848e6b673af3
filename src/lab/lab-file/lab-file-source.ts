import { readFile } from 'node:fs/promises'
import { UsageError } from '../../protocol/errors.js'
import { parseYaml, YamlTextError } from '../../protocol/yaml-text.js'

/** Steps from the top of a lab file to a value in it. */
export type Path = readonly (string | number)[]

/** The content of a lab file, and the positions in it. */
export interface LabFileSource {
  readonly file: string
  readonly value: unknown
  /** The line of a value, from 1; of its nearest parent where the value itself is missing. */
  readonly lineOf: (path: Path) => number | undefined
}

/** Largest lab file, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

function unreadable(file: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  const why =
    code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (code ?? message)
  return new UsageError(`cannot read the lab file ${file}: ${why}`, [
    'See the built-in one:  oauth-lab config show',
  ])
}

/**
 * Reads a lab file in YAML or JSON. JSON is YAML too, so one parser returns the values and lines of both.
 * @throws UsageError that names the file and the line
 */
export async function readLabFile(file: string): Promise<LabFileSource> {
  let content: Buffer
  try {
    content = await readFile(file)
  } catch (error) {
    throw unreadable(file, error)
  }
  if (content.length > MAX_BYTES) throw new UsageError(`the lab file ${file} is larger than 4 MiB`)
  return parseLabFile(file, content.toString('utf8').replace(/^\ufeff/, ''))
}

/**
 * Parses the text of a lab file.
 * @throws UsageError that names the file and the line
 */
export async function parseLabFile(file: string, content: string): Promise<LabFileSource> {
  const parsed = await parseYaml(content).catch(error => {
    if (!(error instanceof YamlTextError)) throw error
    throw new UsageError(`${file}:${error.line}: this is neither YAML nor JSON: ${error.message}`)
  })
  const lineOf = (path: Path): number | undefined => {
    for (let length = path.length; length > 0; length--) {
      const node = parsed.document.getIn(path.slice(0, length), true)
      const range = (node as { range?: readonly number[] } | undefined)?.range
      if (range?.[0] !== undefined) return parsed.lineAt(range[0])
    }
    return undefined
  }
  return { file, value: parsed.value, lineOf }
}
