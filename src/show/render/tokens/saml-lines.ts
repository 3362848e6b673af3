import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ExaminedSaml } from '../../../protocol/saml/examine.js'
import type { ExplainedPart } from '../../../protocol/saml/explained.js'
import { checkSection, type JwtText, remarkSection, section } from './jwt-lines.js'

const BINDINGS = {
  redirect: 'packed into a URL (HTTP-Redirect binding)',
  post: 'base64, as in a form (HTTP-POST binding)',
  xml: 'XML, as it is',
} as const

/** A SAML message for people: how it came, its parts with meanings and times, checks, remarks. */
export function samlLines(
  { carried, signatures, checks, lint, verdict, failed }: ExaminedSaml,
  parts: readonly ExplainedPart[],
  text: JwtText,
): string[] {
  const { binding, relayState, querySignature } = carried
  const signed = [
    ...(querySignature === undefined ? [] : ['the URL']),
    ...signatures.map(({ of, algorithm, digest }) => `${of.name} (${algorithm}, ${digest})`),
  ]
  const carriedAs = [
    { name: 'Form', value: BINDINGS[binding], meaning: '' },
    ...(relayState === undefined
      ? []
      : [{ name: 'RelayState', value: relayState, meaning: 'what the service provider gets back' }]),
    { name: 'Signed', value: signed.join(', ') || 'nothing', meaning: '' },
  ]
  const lines = [...section('Message', carriedAs, text)]
  for (const { title, members } of parts)
    lines.push('', ...section(foreign(title, text.signs), members, text))
  if (checks.length > 0) lines.push('', ...checkSection('Checks', checks, text))
  if (lint.length > 0) lines.push('', ...remarkSection(lint, text))
  const { signs } = text
  const ending = {
    not_verified:
      'No signature was verified: anybody can write this. With the keys of its sender:  --metadata FILE',
    accepted: `${signs.done} accepted`,
    refused: `${signs.refused} refused: ${foreign(failed.join(', '), signs)}`,
  } as const
  return [...lines, '', ending[verdict]]
}

const OURS = new Set(['root', 'element'])

/** A value with the members of JSON: names with underscores, and without the nodes of the parser. */
function wire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wire)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OURS.has(name))
  return Object.fromEntries(
    members.map(([name, each]) => [name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), wire(each)]),
  )
}

/** A SAML message as one line of JSON. */
export function samlJson({ verdict, carried, message, signatures, checks, lint }: ExaminedSaml): string {
  return jsonLine({
    verdict,
    binding: carried.binding,
    relay_state: carried.relayState,
    message: wire(message),
    signatures: signatures.map(({ of, algorithm, digest }) => ({
      of: of.name,
      id: of.attributes.get('ID'),
      algorithm,
      digest,
    })),
    checks,
    lint,
  })
}
