import { advice, shown } from '../../protocol/oauth/check.js'
import { boundCertificate } from '../../protocol/tokens/confirmation.js'
import type { FlowRecord, Step } from '../step.js'
import { decodeIfJwt } from './verify-tokens.js'

/** Shows if access tokens name the certificate of the client (RFC 8705 §3.1). */
export async function* withCertificateChecks(
  records: AsyncIterable<FlowRecord>,
  thumbprint: string,
): AsyncGenerator<FlowRecord, void, void> {
  for await (const record of records) yield record.type === 'step' ? withCheck(record, thumbprint) : record
}

function withCheck(step: Step, thumbprint: string): Step {
  const { token } = step
  if (token?.kind !== 'access_token') return step
  const decoded = decodeIfJwt(token.value)
  if (decoded === undefined) return step
  const bound = boundCertificate(decoded.claims.cnf)
  if (bound === undefined) {
    const detail = `the token is bound to no certificate; ours is x5t#S256 ${thumbprint}`
    return withOne(step, true, detail)
  }
  const ok = bound === thumbprint
  const detail = ok
    ? `the token names our certificate, x5t#S256 ${thumbprint}`
    : `the token names another certificate: ${shown(bound)}; ours is ${thumbprint}`
  return withOne(step, ok, detail)
}

function withOne(step: Step, ok: boolean, detail: string): Step {
  return { ...step, checks: [...(step.checks ?? []), advice('cnf', ok, 'RFC 8705 §3.1', detail)] }
}
