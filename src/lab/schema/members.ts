import { z } from 'zod'
import { parseScope } from '../../protocol/oauth/scope.js'
import { DURATION } from '../lab-file/duration.js'

export const text = z.string().min(1)

export const duration = z.string().regex(DURATION, { error: 'write a duration as 90s, 15m, 1h or 7d' })

export const scopeValue = z.string().refine(value => parseScope(value) !== undefined, {
  error: 'a scope value is a list of printable ASCII words without quote and backslash (RFC 6749 §3.3)',
})

/** The methods of client authentication, by the names of the metadata. */
export const CLIENT_AUTHENTICATION = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
] as const

/** Optional members of the lab file, each with its description. */
export const flag = (about: string) => z.boolean().optional().describe(about)

export const optionalText = (about: string) => text.optional().describe(about)

export const oneOf = <const Word extends string>(words: readonly Word[], about: string) =>
  z.enum(words).optional().describe(about)

export const list = <Item extends z.ZodType>(item: Item, about: string) =>
  z.array(item).optional().describe(about)
