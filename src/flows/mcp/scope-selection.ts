import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { RevisionRules } from './revisions.js'

export interface ScopeSources {
  readonly wanted?: string | undefined
  readonly challenged?: string | undefined
  readonly supported?: readonly string[] | undefined
  readonly announced?: readonly string[] | undefined
  readonly offline?: boolean | undefined
}

/** A scope to ask for, and why. */
export interface ChosenScope {
  /** Absent: the requests have no scope parameter. */
  readonly scope?: string
  readonly checks: readonly Check[]
}

const STRATEGY = 'MCP 2026-07-28 Authorization §6'

function base(
  { wanted, challenged, supported }: ScopeSources,
  { scopesSupported }: RevisionRules,
): { scope?: string; why: string } {
  if (wanted !== undefined) return { scope: wanted, why: `as you asked: ${wanted}` }
  if (challenged !== undefined) return { scope: challenged, why: `from the challenge: ${challenged}` }
  if (scopesSupported && supported !== undefined && supported.length > 0) {
    const scope = supported.join(' ')
    return { scope, why: `the challenge names none; from scopes_supported: ${scope}` }
  }
  return { why: 'none: neither the challenge nor the metadata names scopes' }
}

/** Adds an announced `offline_access` where something else is asked for too. */
function withOffline(
  scope: string | undefined,
  announced: readonly string[] | undefined,
): string | undefined {
  if (scope === undefined || !announced?.includes('offline_access')) return undefined
  return scope.split(' ').includes('offline_access') ? scope : `${scope} offline_access`
}

/** Chooses the scope of the first authorization request: that of the challenge, else all of the metadata, else none. */
export function selectScope(sources: ScopeSources, rules: RevisionRules): ChosenScope {
  const { scope, why } = base(sources, rules)
  const checks = [check('scope', true, STRATEGY, why)]
  if (!sources.offline) return { ...(scope !== undefined && { scope }), checks }
  const more = rules.offlineAccess ? withOffline(scope, sources.announced) : undefined
  const detail =
    more === undefined
      ? 'not asked for: the authorization server does not announce it'
      : 'asked for, as announced'
  const about = advice('offline_access', more !== undefined, 'MCP 2026-07-28 Authorization §10', detail)
  const chosen = more ?? scope
  return { ...(chosen !== undefined && { scope: chosen }), checks: [...checks, about] }
}

/** Returns old and new scopes together, without repeats, for a step-up. */
export function unitedScope(...scopes: readonly (string | undefined)[]): string {
  return [...new Set(scopes.flatMap(each => each?.split(' ') ?? []))].filter(each => each !== '').join(' ')
}
