import { z } from 'zod'
import { checkLabFile, type KnownNames } from '../schema/lab-file-checks.js'
import { type LabFile, labFileSchema } from '../schema/lab-file-schema.js'
import { describeIssues, formatProblem, labFileError, type SchemaIssue } from './lab-file-problems.js'
import { remarksOn } from './lab-file-remarks.js'
import { type LabFileSource, type Path, readLabFile } from './lab-file-source.js'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly additionalProperties?: SchemaNode | boolean
}

/** The JSON Schema of the lab file (`config schema`). */
export function labFileJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(labFileSchema)
  const description =
    'Every field may be left out: maps are merged with the built-in ones, lists replace them'
  return { $schema, title: 'oauth-lab lab file', description, ...rest }
}

function allowedFields(path: Path): string[] {
  let node: SchemaNode | undefined = labFileJsonSchema() as SchemaNode
  for (const step of path) {
    if (node === undefined) break
    if (typeof step === 'number') node = node.items
    else if (node.properties?.[step]) node = node.properties[step]
    else node = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  }
  return Object.keys(node?.properties ?? {})
}

/** @param known names that exist besides the file's own @throws UsageError with every problem */
export function checkSource(source: LabFileSource, known: KnownNames): LabFile {
  // An empty file is a lab that changes nothing.
  const value = source.value ?? {}
  const parsed = labFileSchema.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues as unknown as readonly SchemaIssue[]
    throw labFileError(source, describeIssues(issues, value, allowedFields))
  }
  const problems = checkLabFile(parsed.data, known)
  if (problems.length > 0) throw labFileError(source, problems)
  return parsed.data
}

/** @throws UsageError that names the file, the line, the problem and the allowed values */
export async function checkedLabFile(file: string, known: KnownNames): Promise<LabFile> {
  return checkSource(await readLabFile(file), known)
}

/** Returns remarks on a checked lab file, each a line with file, line and place. @throws UsageError when it cannot be read */
export async function labFileRemarks(file: string): Promise<string[]> {
  const source = await readLabFile(file)
  return remarksOn((source.value ?? {}) as LabFile).map(remark => formatProblem(source, remark))
}
