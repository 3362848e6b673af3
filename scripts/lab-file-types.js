/** Parts of the lab file that have a type of their own, by the way to them in its JSON Schema. */
const NAMED = {
  LabFile: [],
  ClientEntry: ['properties', 'clients', 'items'],
  UserEntry: ['properties', 'users', 'items'],
  ClusterEntry: ['properties', 'cluster'],
  DnsEntry: ['properties', 'dns'],
  DnsRecordEntry: ['properties', 'dns', 'properties', 'zones', 'items', 'properties', 'records', 'items'],
  ServerEntry: ['properties', 'servers', 'additionalProperties'],
  AuthorizationDetailsMember: ['$defs', '__schema0'],
}
/** Lists of words whose types are published from their own modules. */
const WORDS = {
  WeakName: ['properties', 'weak', 'items'],
  GrantType: [...NAMED.ClientEntry, 'properties', 'grant_types', 'items'],
}
const IMPORTS = `import type { WeakName } from '../../protocol/rules/weak-modes.js'
import type { GrantType } from './grant-types.js'
`

/** The declarations of the lab file for people who write one in TypeScript, made of its JSON Schema: they need no zod. */
export function labFileTypes(schema) {
  const at = path => path.reduce((node, key) => node[key], schema)
  const names = new Map(Object.entries({ ...NAMED, ...WORDS }).map(([name, path]) => [at(path), name]))

  const typeOf = node => {
    const target = node.$ref === undefined ? node : at(node.$ref.split('/').slice(1))
    return names.get(target) ?? written(target)
  }
  const written = node => {
    if (node.anyOf !== undefined) return node.anyOf.map(typeOf).join(' | ')
    if (node.enum !== undefined) return node.enum.map(literal).join(' | ')
    if (node.const !== undefined) return literal(node.const)
    if (node.type === 'array') {
      const each = typeOf(node.items)
      return `readonly ${/^[^{]* /.test(each) ? `(${each})` : each}[]`
    }
    if (Array.isArray(node.type)) return node.type.join(' | ')
    if (node.type === 'integer') return 'number'
    if (node.type !== 'object') return node.type ?? 'unknown'
    if (node.properties !== undefined) return membersOf(node)
    return `Readonly<Record<string, ${typeOf(node.additionalProperties)}>>`
  }
  const membersOf = ({ properties, required = [], additionalProperties }) => {
    const members = Object.entries(properties).map(([name, node]) => {
      const mark = required.includes(name) ? '' : '?'
      return `${docstring(node)}readonly ${name}${mark}: ${typeOf(node)}\n`
    })
    const others = additionalProperties === false ? '' : 'readonly [member: string]: unknown\n'
    return `{\n${members.join('')}${others}}`
  }
  const declared = Object.entries(NAMED).map(
    ([name, path]) => `${docstring(at(path))}export interface ${name} ${membersOf(at(path))}\n`,
  )
  return indented([IMPORTS, ...declared].join('\n'))
}

const literal = value => (typeof value === 'string' ? `'${value}'` : `${value}`)
const docstring = ({ description }) =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')}. */\n`

function indented(text) {
  let depth = 0
  const lines = text.split('\n').map(line => {
    if (line.startsWith('}')) depth--
    const set = line === '' ? '' : '  '.repeat(depth) + line
    if (line.endsWith('{')) depth++
    return set
  })
  return lines.join('\n')
}
