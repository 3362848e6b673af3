import type { Difference, MetadataDocument } from '../../flows/metadata/both-documents.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import type { JsonObject } from '../../protocol/values.js'
import { hanging } from './text/text.js'
import { checkSection, type JwtText } from './tokens/jwt-lines.js'

const TITLES = { openid: 'OpenID Connect Discovery', oauth: 'RFC 8414' } as const

function valueText(value: unknown): string {
  if (value === undefined) return '(not there)'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(', ')
  return JSON.stringify(value) ?? String(value)
}

/** Name and value in two columns; the value goes on below itself. */
function pairs(entries: ReadonlyArray<readonly [string, string]>, text: JwtText): string[] {
  const { signs, columns, width } = text
  const room = Math.min(48, Math.max(0, ...entries.map(([name]) => name.length))) + 4
  return entries.flatMap(([name, value]) => {
    const before = `  ${foreign(name, signs)}`.padEnd(room)
    const gap = before.endsWith(' ') ? before : `${before}  `
    return hanging(gap, foreign(value, signs), { columns, ...(width && { width }) })
  })
}

function documentLines({ kind, url, status, checks, problem }: MetadataDocument, text: JwtText): string[] {
  const { signs } = text
  const sign = problem === undefined ? signs.done : status === 404 ? signs.look : signs.refused
  const head = `${sign} ${TITLES[kind]}: ${foreign(url, signs)} (${status})`
  const why = problem === undefined ? [] : [`  ${foreign(problem, signs)}`]
  return [head, ...why, ...(checks.length === 0 ? [] : checkSection('  Checks', checks, text))]
}

/** Both documents: their checks, the members that they do not agree on, and the members of both. */
export function discoveryLines(
  documents: readonly MetadataDocument[],
  differences: readonly Difference[],
  text: JwtText,
): string[] {
  const read = documents.filter(each => each.document !== undefined)
  const differing = new Set(differences.map(({ name }) => name))
  const shared: JsonObject = read[0]?.document ?? {}
  const same = Object.entries(shared).filter(([name]) => !differing.has(name))
  const lines = documents.flatMap(each => [...documentLines(each, text), ''])
  if (differences.length > 0) {
    lines.push('Different')
    for (const { name, ...values } of differences) {
      lines.push(`  ${foreign(name, text.signs)}`)
      const both = (['openid', 'oauth'] as const).map(kind => [`  ${kind}`, valueText(values[kind])] as const)
      lines.push(...pairs(both, text))
    }
    lines.push('')
  }
  if (same.length > 0) {
    lines.push(read.length > 1 ? 'The same in both' : 'Members')
    lines.push(
      ...pairs(
        same.map(([name, value]) => [name, valueText(value)] as const),
        text,
      ),
    )
  }
  return lines
}
