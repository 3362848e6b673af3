import { readFields } from '../../../protocol/http/form.js'
import type { JsonObject } from '../../../protocol/values.js'
import { textOf } from './findings.js'

/** Members whose values lead from one exchange to another, and the kind of the value. */
const MEMBERS: readonly (readonly [member: string, kind: string])[] = [
  ['code', 'code'],
  ['request_uri', 'request'],
  ['refresh_token', 'refresh'],
  ['replaced_by', 'refresh'],
  ['access_token', 'access'],
  ['jti', 'jti'],
]

/** A secret that an event names as its evidence: `code k3V9…Qm1`. */
const EVIDENCE = /^(code|refresh) (?:token )?(\S+)$/

/** A reference to a pushed request, cut as its event cuts it. */
function cutReference(uri: string): string {
  const start = uri.lastIndexOf(':') + 1
  const last = uri.slice(start)
  return last.length < 16 ? uri : `${uri.slice(0, start)}${last.slice(0, 4)}…${last.slice(-3)}`
}

/** The values that tie an exchange to others. A value that is hidden whole ties nothing. */
export function tiesOf(events: readonly JsonObject[], query: string): readonly string[] {
  const ties = new Set<string>()
  for (const [member, kind] of MEMBERS) {
    for (const event of events) {
      const value = textOf(event, member)
      // The address of a request object is the same in every login of its client.
      const isAddress = member === 'request_uri' && !value?.startsWith('urn:')
      if (value !== undefined && value !== '…' && !isAddress) ties.add(`${kind} ${value}`)
    }
  }
  for (const event of events) {
    const [, kind, value] = EVIDENCE.exec(textOf(event, 'evidence') ?? '') ?? []
    if (kind !== undefined && value !== '…') ties.add(`${kind} ${value}`)
  }
  const fields = readFields(query)
  const [code, uri, state] = ['code', 'request_uri', 'state'].map(fields.get)
  if (code !== undefined && code !== '…') ties.add(`code ${code}`)
  if (uri?.startsWith('urn:')) ties.add(`request ${cutReference(uri)}`)
  if (state !== undefined) ties.add(`state ${state}`)
  return [...ties]
}
