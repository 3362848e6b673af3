import { SamlFormatError } from '../../protocol/saml/encoding.js'
import { examineSaml } from '../../protocol/saml/examine.js'
import type { Message, ReadSaml } from './message.js'

/** The part of an exchange that carries the message: a form, or the query with the signature beside it. */
function carried({ recorded, fields }: Message): string {
  const { request } = recorded.exchange
  const name = fields.has('SAMLResponse') ? 'SAMLResponse' : 'SAMLRequest'
  if (request.url.includes(`${name}=`)) return request.url
  // A raw plus sign, which a form has for a space, is one of base64.
  return (fields.get(name) ?? '').replaceAll(' ', '+')
}

async function readSaml(message: Message): Promise<ReadSaml> {
  const { sent } = message.recorded
  const artifact = message.fields.get('SAMLart')
  if (artifact !== undefined && !message.fields.has('SAMLResponse')) return { artifact }
  try {
    return await examineSaml(carried(message), { now: Number.isNaN(sent) ? Date.now() : sent }, undefined)
  } catch (error) {
    if (error instanceof SamlFormatError) return { problem: error.message }
    throw error
  }
}

/** Returns the messages with what their SAML says. Nothing is verified: a recording has no keys. */
export function withSaml(messages: readonly Message[]): Promise<readonly Message[]> {
  return Promise.all(
    messages.map(async message =>
      message.kind === 'saml_request' || message.kind === 'saml_response'
        ? { ...message, saml: await readSaml(message) }
        : message,
    ),
  )
}
