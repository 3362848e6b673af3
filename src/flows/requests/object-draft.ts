import type { FormPairs } from '../../protocol/http/form.js'
import {
  signRequestObject,
  unsignedRequestObject,
  type WantedRequestObject,
} from '../../protocol/tokens/request-object.js'
import { type JsonObject, parsedJson } from '../../protocol/values.js'

/** A request object before it is signed. */
export interface ObjectDraft {
  readonly parameters: FormPairs
  readonly about: JsonObject
  readonly wanted: WantedRequestObject
}

/** Makes a request object of its draft. */
export type MakeObject = (draft: ObjectDraft) => Promise<string>

/** Claims of the parameters (RFC 9101 §4): numbers and JSON as such, repeated ones as lists. */
function claimsOf(pairs: FormPairs): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const earlier = claims[name]
    const claim = claimOf(name, value)
    claims[name] = earlier === undefined ? claim : [earlier, claim].flat()
  }
  return claims
}

function claimOf(name: string, value: string): unknown {
  if (name === 'max_age' && /^\d+$/.test(value)) return Number(value)
  if (name !== 'claims' && name !== 'authorization_details') return value
  // The server refuses another text, as it would in a query.
  const json = parsedJson(value)
  return json === undefined ? value : json
}

/** Signs the object, unless it is to be unsigned. */
export const makeObject: MakeObject = async ({ parameters, about, wanted }) => {
  const claims = { ...claimsOf(parameters), ...about }
  return wanted.kind === 'unsigned' ? unsignedRequestObject(claims) : signRequestObject(claims, wanted)
}
