import type { FieldProblem } from '../api-error.js'
import { quote } from '../go/quote.js'

// Names of objects (RFC 1123), with the text of the real server's errors.

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`

const rules = {
  label: {
    pattern: new RegExp(`^${LABEL}$`),
    longest: 63,
    message: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
  },
  subdomain: {
    pattern: new RegExp(`^${SUBDOMAIN}$`),
    longest: 253,
    message: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
  },
} as const

const RBAC_KINDS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']

/** The problems of a name that only has to fit into a path, such as `system:basic-user`. */
function segmentProblems(name: string): FieldProblem[] {
  const wrong = (problem: string): FieldProblem[] => [
    {
      reason: 'FieldValueInvalid',
      field: 'metadata.name',
      message: `Invalid value: ${quote(name)}: ${problem}`,
    },
  ]
  if (name === '.' || name === '..') return wrong(`may not be '${name}'`)
  const bad = ['/', '%'].find(each => name.includes(each))
  return bad === undefined ? [] : wrong(`may not contain '${bad}'`)
}

/** The problems of a new object's name. */
export function nameProblems(kind: string, name: string): FieldProblem[] {
  if (name === '') {
    const message = 'Required value: name or generateName is required'
    return [{ reason: 'FieldValueRequired', field: 'metadata.name', message }]
  }
  if (RBAC_KINDS.includes(kind)) return segmentProblems(name)
  const { pattern, longest, message } = kind === 'Namespace' ? rules.label : rules.subdomain
  // The length is checked first, so that the pattern runs only on short names.
  const found = name.length > longest ? [`must be no more than ${longest} characters`] : []
  if (found.length === 0 && !pattern.test(name)) found.push(message)
  return found.map(each => ({
    reason: 'FieldValueInvalid',
    field: 'metadata.name',
    message: `Invalid value: ${quote(name)}: ${each}`,
  }))
}

const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789'

/** A random name with the prefix that the client sent as `generateName`. */
export function generatedName(prefix: string, random: (length: number) => Uint8Array): string {
  return prefix.slice(0, 58) + [...random(5)].map(byte => SUFFIX[byte % SUFFIX.length]).join('')
}
