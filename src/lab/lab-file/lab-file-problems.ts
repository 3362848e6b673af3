import { UsageError } from '../../protocol/errors.js'
import { quote } from '../../protocol/values.js'
import type { LabFileSource, Path } from './lab-file-source.js'
import { nearest } from './nearest.js'

export interface LabFileProblem {
  readonly path: Path
  /** A function makes the text of a problem that is shown: a file may have many more. */
  readonly problem: string | (() => string)
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

export type AllowedFields = (path: Path) => readonly string[]

/** Messages do not repeat these values. */
const secretFields = new Set([
  'client_secret',
  'password',
  'password_hash',
  'totp_secret',
  'signing_secret',
  'token',
  'key',
])

function didYouMean(word: unknown, candidates: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, candidates) : undefined
  return near === undefined ? '' : `. Did you mean ${near}?`
}

function describe(issue: SchemaIssue, path: Path, found: unknown): string {
  const said = secretFields.has(String(path.at(-1))) ? 'the value' : quote(found)
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = kinds[String(issue.expected)] ?? String(issue.expected)
      return found === undefined ? `it is missing; it is ${wanted}` : `${said} is not ${wanted}`
    }
    case 'invalid_value': {
      const values = (issue.values ?? []).map(String)
      const allowed = values.map(each => (each.includes(' ') ? `"${each}"` : each)).join(', ')
      const what = found === undefined ? 'it is missing' : `${said} is not allowed`
      return `${what}; allowed: ${allowed}${didYouMean(found, values)}`
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
    if (issue.code !== 'unrecognized_keys')
      return [{ path, problem: () => describe(issue, path, at(value, path)) }]
    return (issue.keys ?? []).map(key => ({
      path: [...path, key],
      problem() {
        const fields = allowed(path)
        return `there is no such field; allowed: ${fields.join(', ')}${didYouMean(key, fields)}`
      },
    }))
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

/** File, line, place, problem. */
export function formatProblem(source: LabFileSource, { path, problem: made }: LabFileProblem): string {
  const problem = typeof made === 'string' ? made : made()
  const line = source.lineOf(path)
  const where = line === undefined ? source.file : `${source.file}:${line}`
  return path.length === 0 ? `${where}: ${problem}` : `${where}: ${formatPath(path)}: ${problem}`
}

/** Problems that are shown. The others are counted. */
const SHOWN = 10

/** The first problem is the message; the others follow. */
export function labFileError(source: LabFileSource, problems: readonly LabFileProblem[]): UsageError {
  const [first, ...rest] = problems.slice(0, SHOWN).map(problem => formatProblem(source, problem))
  if (problems.length > SHOWN) rest.push(`and ${problems.length - SHOWN} more`)
  return new UsageError(first ?? `${source.file} is not a lab file`, [
    ...rest,
    'Every field:  oauth-lab config schema',
  ])
}
