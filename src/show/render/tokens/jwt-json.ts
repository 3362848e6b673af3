import type { Check } from '../../../protocol/oauth/check.js'
import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import type { ExplainedToken, Lint } from '../../../protocol/tokens/explain.js'
import type { SdJwt } from '../../../protocol/tokens/sd-jwt.js'
import type { JsonObject } from '../../../protocol/values.js'
import { jsonLine } from '../text/json-line.js'

/** The results of the jwt commands. */
export interface JwtFindings {
  /** `not_verified`: the signature was not verified. */
  readonly verdict: 'accepted' | 'refused' | 'not_verified'
  readonly token: DecodedJwt
  readonly explained: ExplainedToken
  readonly lint: readonly Lint[]
  readonly checks?: readonly Check[]
  /** Absent for a token that is no SD-JWT. */
  readonly sdJwt?: SdJwt
}

/** The findings as one line of JSON: header and claims as they are, dates beside them. */
export function jwtJson({ verdict, token, explained, lint, checks, sdJwt }: JwtFindings): string {
  const dates = explained.claims.flatMap(({ name, time }) => (time === undefined ? [] : [[name, time]]))
  const { header, claims } = token
  const disclosed = sdJwt && {
    disclosures: sdJwt.disclosures,
    kept_back: sdJwt.keptBack,
    key_binding: sdJwt.keyBinding && {
      header: sdJwt.keyBinding.jwt.header,
      claims: sdJwt.keyBinding.jwt.claims,
    },
  }
  return jsonLine({ verdict, header, claims, dates: Object.fromEntries(dates), lint, checks, ...disclosed })
}

/** The header of an encrypted token as one line of JSON; `encrypted` says why there are no claims. */
export function jweJson(header: JsonObject): string {
  return jsonLine({ verdict: 'not_verified', encrypted: true, header })
}
