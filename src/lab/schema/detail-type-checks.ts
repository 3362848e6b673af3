import type { DetailSchema } from '../../protocol/oauth/authorization-details.js'
import { COMMON_MEMBERS } from '../../protocol/oauth/authorization-details.js'
import { quote } from '../../protocol/values.js'
import type { Path } from '../lab-file/lab-file-source.js'
import { nearest } from '../lab-file/nearest.js'
import type { LabFile } from './lab-file-schema.js'

type Report = (path: Path, problem: string) => void

/** RFC 9396 §2, §10. @param builtIn names of the types beside those of the file */
export function checkDetailTypes(file: LabFile, builtIn: readonly string[], report: Report): void {
  const { authorization_details_types: types = {}, clients = [], resource } = file
  for (const [name, { properties = {}, required = [] }] of Object.entries(types)) {
    const path = ['authorization_details_types', name]
    if (Object.hasOwn(properties, 'type')) {
      report([...path, 'properties', 'type'], 'every detail has its type already (RFC 9396 §2)')
    }
    checkRequired(required, { ...COMMON_MEMBERS, ...properties }, path, report)
    for (const [each, schema] of Object.entries(properties)) {
      checkMember(schema, [...path, 'properties', each], report)
    }
  }
  const known = [...new Set([...builtIn, ...Object.keys(types)])]
  const check = (name: string, path: Path) => {
    if (known.includes(name)) return
    const near = nearest(name, known)
    const hint = near === undefined ? '' : `. Did you mean ${near}?`
    const problem = `the type ${quote(name)} is not one of this server; known: ${known.join(', ')}${hint}`
    report(path, problem)
  }
  for (const [i, { authorization_details_types: named = [] }] of clients.entries()) {
    for (const [k, name] of named.entries()) check(name, ['clients', i, 'authorization_details_types', k])
  }
  for (const [i, { authorization_details: name }] of (resource?.routes ?? []).entries()) {
    if (name !== undefined) check(name, ['resource', 'routes', i, 'authorization_details'])
  }
}

/** Words that have no effect on a type would be ignored silently. */
const WORDS_OF: Readonly<Record<string, DetailSchema['type'][]>> = {
  items: ['array'],
  properties: ['object'],
  required: ['object'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
}

function checkMember(schema: DetailSchema, path: Path, report: Report): void {
  const { type, items, properties, required = [] } = schema
  for (const [word, types] of Object.entries(WORDS_OF)) {
    if (!Object.hasOwn(schema, word) || types.includes(type)) continue
    report([...path, word], `${word} is for ${types.join(' and ')}, not for ${type}`)
  }
  if (properties !== undefined) checkRequired(required, properties, path, report)
  if (items !== undefined) checkMember(items, [...path, 'items'], report)
  for (const [name, each] of Object.entries(properties ?? {})) {
    checkMember(each, [...path, 'properties', name], report)
  }
}

function checkRequired(required: readonly string[], members: object, path: Path, report: Report): void {
  for (const [i, name] of required.entries()) {
    if (!Object.hasOwn(members, name)) report([...path, 'required', i], `there is no member ${quote(name)}`)
  }
}
