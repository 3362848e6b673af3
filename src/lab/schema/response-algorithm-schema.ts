import { z } from 'zod'
import {
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  RESPONSE_ALGORITHMS,
  SIGNING_ALGORITHMS,
} from '../../protocol/oauth/algorithms.js'

const signed = (what: string) => z.enum(RESPONSE_ALGORITHMS).optional().describe(`Signature of ${what}`)
const encrypted = z.enum(KEY_ENCRYPTIONS).optional().describe('Encrypts it to a key of the client')
const content = z.enum(CONTENT_ENCRYPTIONS).optional().describe('Default A128CBC-HS256')

/** The members of a client that name the algorithms of its tokens and responses. */
export const responseAlgorithms = {
  id_token_signed_response_alg: signed('id_tokens; default RS256'),
  id_token_encrypted_response_alg: encrypted,
  id_token_encrypted_response_enc: content,
  userinfo_signed_response_alg: signed('userinfo, which is then a JWT; default: plain JSON'),
  userinfo_encrypted_response_alg: encrypted,
  userinfo_encrypted_response_enc: content,
  introspection_signed_response_alg: signed('introspection in a JWT (RFC 9701); default RS256'),
  introspection_encrypted_response_alg: encrypted,
  introspection_encrypted_response_enc: content,
  authorization_signed_response_alg: signed('authorization responses in a JWT (JARM); default RS256'),
  authorization_encrypted_response_alg: encrypted,
  authorization_encrypted_response_enc: content,
  access_token_signing_alg: z
    .enum(SIGNING_ALGORITHMS)
    .optional()
    .describe('Signature of JWT access tokens; default RS256'),
} as const
