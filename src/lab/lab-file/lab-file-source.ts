import { readFile } from 'node:fs/promises'
import { UsageError } from '../../protocol/errors.js'
import { parseYaml, YamlTextError } from '../../protocol/yaml-text.js'

/** From the top of a lab file to a value. */
export type Path = readonly (string | number)[]

/** The content of a lab file with positions. */
export interface LabFileSource {
  readonly file: string
  readonly value: unknown
  /** From 1; for a missing value the line of its nearest parent. */
  readonly lineOf: (path: Path) => number | undefined
}

/** Bytes. */
const MAX_BYTES = 4 * 1024 * 1024

function unreadable(file: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  const why =
    code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (code ?? message)
  return new UsageError(`cannot read the lab file ${file}: ${why}`, [
    'See the built-in one:  oauth-lab config show',
  ])
}

/** JSON is YAML too, so one parser reads both. @throws UsageError that names the file and the line */
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

/** @throws UsageError that names the file and the line */
export async function parseLabFile(file: string, content: string): Promise<LabFileSource> {
  const parsed = await parseYaml(content).catch(error => {
    if (!(error instanceof YamlTextError)) throw error
    throw new UsageError(`${file}:${error.line}: this is neither YAML nor JSON: ${error.message}`)
  })
  return { file, value: parsed.value, lineOf: parsed.lineOf }
}
