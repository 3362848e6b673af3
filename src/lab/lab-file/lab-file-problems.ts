import { UsageError } from '../../protocol/errors.js'
import { listed, nearest } from '../../protocol/nearest.js'
import { quote } from '../../protocol/values.js'
import { type LabFileSource, type Path, SECRET_FIELDS } from './lab-file-source.js'

export interface LabFileProblem {
  readonly path: Path
  /** A function makes the text of a problem that is shown: a file may have many more. */
  readonly problem: string | (() => string)
  /** Returns the nearest word that would be right. */
  readonly near?: () => string | undefined
}

/** The used members of zod's `issues`. */
export interface SchemaIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly issues?: readonly SchemaIssue[]
  readonly minimum?: unknown
}

const kinds: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  record: 'a map',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function at(value: unknown, path: Path): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string | number, unknown>)[step]
  }
  return here
}

const valuesOf = ({ values = [] }: SchemaIssue) => values.map(String)

export type AllowedFields = (path: Path) => readonly string[]

function describe(issue: SchemaIssue, path: Path, found: unknown): string {
  const said = SECRET_FIELDS.includes(String(path.at(-1))) ? 'the value' : quote(found)
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = kinds[String(issue.expected)] ?? String(issue.expected)
      return found === undefined ? `it is missing; it is ${wanted}` : `${said} is not ${wanted}`
    }
    case 'invalid_value': {
      const values = valuesOf(issue)
      const allowed = listed(values.map(each => (each.includes(' ') ? `"${each}"` : each)))
      const what = found === undefined ? 'it is missing' : `${said} is not allowed`
      return `${what}; allowed: ${allowed}`
    }
    case 'too_small':
      return found === '' ? 'it is empty' : `${said} is too small; at least ${String(issue.minimum)}`
    case 'invalid_key':
      return issue.issues?.[0]?.message ?? issue.message
    default:
      return `${said}: ${issue.message}`
  }
}

export function describeIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
  allowed: AllowedFields,
): LabFileProblem[] {
  return issues.flatMap((issue): LabFileProblem[] => {
    const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)))
    if (issue.code !== 'unrecognized_keys') {
      const found = () => at(value, path)
      return [
        {
          path,
          problem: () => describe(issue, path, found()),
          near: () => nearest(String(found()), valuesOf(issue)),
        },
      ]
    }
    return (issue.keys ?? []).map(key => {
      const near = () => nearest(key, allowed(path))
      const others = () => (near() === undefined ? `; allowed: ${listed(allowed(path))}` : '')
      return { path: [...path, key], problem: () => `there is no such field${others()}`, near }
    })
  })
}

/** `clients[0].redirect_uris[1]` */
function formatPath(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`
      const name = /^[\w-]+$/.test(step) ? step : JSON.stringify(step)
      return i === 0 ? name : `.${name}`
    })
    .join('')
}

const textOf = ({ problem }: LabFileProblem) => (typeof problem === 'string' ? problem : problem())

/** File, line, place, problem. */
export function formatProblem(source: LabFileSource, made: LabFileProblem): string {
  const [path, problem] = [made.path, textOf(made)]
  const place = source.placeOf(path)
  const where = place === undefined ? source.file : `${source.file}:${place.line}`
  return path.length === 0 ? `${where}: ${problem}` : `${where}: ${formatPath(path)}: ${problem}`
}

/** Most problems of a file that are named. */
const MOST = 10

/** The first problem: what is wrong, the line where it is, and the next move. The others follow, as far as there is room. */
export function labFileError(source: LabFileSource, problems: readonly LabFileProblem[]): UsageError {
  const [first, ...rest] = problems
  if (first === undefined) return new UsageError(`${source.file} is not a lab file`)
  const [path, problem, near] = [first.path, textOf(first), first.near?.()]
  const place = source.placeOf(path)
  const what = path.length === 0 ? problem : `${formatPath(path)}: ${problem}`
  const mean = near === undefined ? '' : `Did you mean ${near}?`
  const every = 'Every field:  oauth-lab config schema'
  const others = rest.slice(0, MOST - 1).map(each => formatProblem(source, each))
  const more = rest.length < MOST ? [] : [`and ${rest.length - MOST + 1} more`]
  if (place === undefined) {
    const message = `${source.file}: ${what}${mean === '' ? '' : `. ${mean}`}`
    return new UsageError(message, [every, ...others, ...more])
  }
  const where = `${source.file}:${place.line}:${place.column}: ${place.text}`
  return new UsageError(what, [where, mean === '' ? every : `${mean}  ${every}`, ...others, ...more])
}
