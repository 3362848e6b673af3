import { encodeForm, type FormPairs, parseForm } from '../../protocol/http/form.js'
import { type Check, check } from '../../protocol/oauth/check.js'

/** The rows of the table of RFC 9207 §2.4. */
export type IssVerdict = 'same' | 'foreign' | 'missing' | 'not promised'

/**
 * Decides about `iss`, compared as it is (RFC 9207 §2.4).
 * @param promised `authorization_response_iss_parameter_supported`
 * @param recorded the issuer of the validated metadata, from before the request
 */
export function issVerdict(
  promised: boolean,
  iss: string | undefined,
  recorded: string | undefined,
): IssVerdict {
  if (iss !== undefined) return iss === recorded ? 'same' : 'foreign'
  return promised ? 'missing' : 'not promised'
}

/** The check of a response without `iss`; a response with `iss` has its own check. */
export function absentIssCheck(verdict: IssVerdict): Check[] {
  if (verdict !== 'not promised') return []
  const detail = 'left out, and the metadata does not promise it: the client goes on'
  return [check('iss', true, 'MCP 2026-07-28 Authorization §7.1', detail)]
}

/** Parameters that a client may not show when `iss` is wrong. */
const HIDDEN = ['error', 'error_description', 'error_uri']

const WITHHELD = 'withheld'

function pairsIn(query: string): FormPairs | undefined {
  try {
    return parseForm(query)
  } catch {
    return undefined
  }
}

/** Hides the texts of an error that a foreign issuer may have written (MCP 2026-07-28 Authorization §7.1). */
export function withoutForeignError(
  address: string,
  promised: boolean,
  recorded: string | undefined,
): string {
  const mark = address.indexOf('?')
  if (mark < 0) return address
  const [query = '', ...fragment] = address.slice(mark + 1).split('#')
  const place = address.slice(0, mark)
  const pairs = pairsIn(query)
  if (pairs === undefined) return `${place}?${WITHHELD}`
  const iss = pairs.filter(([name]) => name === 'iss').map(([, value]) => value)
  const verdict = issVerdict(promised, iss[0], recorded)
  if (iss.length < 2 && (verdict === 'same' || verdict === 'not promised')) return address
  const hidden = pairs.map(([name, value]) => [name, HIDDEN.includes(name) ? WITHHELD : value] as const)
  return [`${place}?${encodeForm(hidden)}`, ...fragment].join('#')
}
