import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

/** The values of `prompt` that the metadata lists. */
export const PROMPTS_SUPPORTED: readonly string[] = PROMPTS

type Prompt = (typeof PROMPTS)[number]

/** A request's conditions on the login behind its answer (OpenID Connect Core §3.1.2.1). */
export interface LoginDemands {
  readonly prompts: readonly Prompt[]
  /** Highest age of the login, in milliseconds. Undefined: any age. */
  readonly maxAge: number | undefined
}

const rule = 'OpenID Connect Core §3.1.2.1'

/**
 * Reads `prompt` and `max_age`. A client can have a default for `max_age` (OpenID Connect Registration §2).
 * @throws OAuthError `invalid_request`
 */
export function readLoginDemands(
  prompt: string | undefined,
  maxAge: string | undefined,
  { default_max_age: defaultMaxAge }: Pick<Client, 'default_max_age'> = {},
): LoginDemands {
  const asked = prompt?.split(' ').filter(each => each !== '') ?? []
  const unknown = asked.find(each => !PROMPTS.some(known => known === each))
  if (unknown !== undefined) {
    throw new OAuthError('invalid_request', {
      description: `prompt is not supported; this server knows: ${PROMPTS.join(', ')}`,
      rule,
      evidence: unknown,
    })
  }
  if (asked.includes('none') && asked.length > 1) {
    throw new OAuthError('invalid_request', {
      description: 'prompt none cannot be combined with another value',
      rule,
    })
  }
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw new OAuthError('invalid_request', {
      description: 'max_age is not a number of seconds',
      rule,
      evidence: maxAge,
    })
  }
  const seconds = maxAge === undefined ? defaultMaxAge : Number(maxAge)
  return { prompts: asked as Prompt[], maxAge: seconds === undefined ? undefined : seconds * 1000 }
}
