import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import { jsonObject } from '../../protocol/oauth/answers.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { metadataUrls, parseMetadata, usableMembers } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { failedCheck } from '../outcome.js'
import type { PlannedStep, Step } from '../step.js'
import { get } from '../walk.js'
import { metadataChecks, refusePlainHttp } from './metadata-checks.js'

export interface Discovery {
  /** One for each address that answered. */
  readonly steps: readonly Step[]
  readonly metadata?: PublishedMetadata
  /** The problems of the members that were left out. */
  readonly unusable?: readonly string[]
  readonly error?: unknown
}

export function discoveryStep(issuer: string): PlannedStep {
  return {
    name: 'discovery_request',
    from: 'client',
    to: 'authorization_server',
    title: `GET ${splitUrl(metadataUrls(issuer)[0]!).path}`,
    rfc: '8414 §3',
    why: 'The client knows only the name of the issuer, and learns its addresses and abilities from what it publishes.',
  }
}

/**
 * Finds an issuer's metadata: OpenID Connect Discovery first, then RFC 8414. Never throws: the error is in the result.
 * @param urls the addresses to ask, in their order
 */
export async function discoverIssuer(
  issuer: string,
  send: Send,
  signal: AbortSignal,
  urls: readonly string[] = metadataUrls(issuer),
): Promise<Discovery> {
  const steps: Step[] = []
  const show = (exchange: Exchange, checks: readonly Check[], note: string, repeats: boolean): void => {
    const more = repeats ? { repeats } : {}
    steps.push({ type: 'step', n: 1, of: 1, ...discoveryStep(issuer), exchange, checks, note, ...more })
  }
  let refusal: unknown
  try {
    for (const [i, url] of urls.entries()) {
      const exchange = await send(get(url), { signal })
      const repeats = i + 1 < urls.length
      try {
        const { metadata, unusable, checks, note } = readMetadata(exchange, issuer)
        show(exchange, checks, note, false)
        return { steps, metadata, unusable }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        // A document that names another issuer ends the search.
        const final = error.code === 'issuer_mismatch' || !repeats
        show(exchange, [failedCheck(error, final ? undefined : 'metadata')], error.description, !final)
        refusal ??= error
        if (final) break
      }
    }
    return { steps, error: refusal }
  } catch (error) {
    return { steps, error }
  }
}

/** Reads a metadata document by the rules of the flows. @throws OAuthError, UnreadableAnswer where it cannot be used */
export function readMetadata(
  exchange: Exchange,
  issuer: string,
): { metadata: PublishedMetadata; unusable: readonly string[]; checks: Check[]; note: string } {
  const status = exchange.response?.status
  if (status !== 200) {
    throw new OAuthError('invalid_metadata', {
      description: `${exchange.request.url} answered ${status}`,
      rule: 'RFC 8414 §3.2',
      hints: [
        'if the server publishes none, name its addresses: --authorization-endpoint URL --token-endpoint URL, or --metadata FILE',
      ],
    })
  }
  const document = jsonObject(exchange, 'the metadata address', 'RFC 8414 §3.2')
  const { usable, unusable } = usableMembers(document)
  const metadata = parseMetadata(usable, issuer)
  refusePlainHttp(metadata)
  const checks = [check('issuer', true, 'RFC 8414 §3.3', issuer), ...metadataChecks(metadata, unusable)]
  const wrong = checks.filter(({ ok }) => !ok)
  const note = wrong.length === 0 ? 'issuer ok' : `check ${wrong.map(({ name }) => name).join(', ')}`
  return { metadata, unusable, checks, note }
}
