import type { ApiAccess } from './access.js'
import type { GivenError } from './refusal.js'

/** The next move after a refusal: by its code, else by its status. */
export function refusalHints(errors: readonly GivenError[], status: number, access: ApiAccess): string[] {
  const codes = new Set(errors.flatMap(({ code }) => (code === undefined ? [] : [code])))
  const { credentials, base, via } = access
  if ([6003, 9103, 9106, 9107, 9109].some(code => codes.has(code)) || status === 401) {
    const what = credentials.kind === 'token' ? 'The token' : 'Key and e-mail address'
    return [`${what} came from ${credentials.from}; who that is:   oauth-lab cf verify`]
  }
  if (codes.has(10000)) {
    return ['These credentials do not reach it, or the zone is not theirs:   oauth-lab cf zones']
  }
  if (status === 429) return ['The budget of requests is spent; how much there is:   oauth-lab cf verify']
  if (codes.has(7000)) return [`The base URL ${base} is from ${via}; it usually ends in /client/v4.`]
  return []
}
