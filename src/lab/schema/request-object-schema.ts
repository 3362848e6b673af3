import { z } from 'zod'
import {
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
} from '../../protocol/oauth/algorithms.js'

const required = z
  .boolean()
  .optional()
  .describe('Refuses authorization requests without a signed request object (RFC 9101 §10.5); default false')
const strict = z
  .boolean()
  .optional()
  .describe('Request objects need aud, exp and nbf, live 60 minutes at most, and count once; default false')

/** The members of a client about its request objects. */
export const clientRequestObjects = {
  request_object_signing_alg: z
    .enum(REQUEST_OBJECT_ALGORITHMS)
    .optional()
    .describe('The only algorithm of request objects; default: any that the keys or the secret allow'),
  request_object_encryption_alg: z
    .enum(KEY_ENCRYPTIONS)
    .optional()
    .describe('The server publishes a key of use enc for it'),
  request_object_encryption_enc: z.enum(CONTENT_ENCRYPTIONS).optional().describe('Default A128CBC-HS256'),
  require_signed_request_object: required,
  strict_request_objects: strict,
  request_uris: z
    .array(z.string())
    .optional()
    .describe('Addresses of request objects; https, and of a host in request_uri_hosts'),
} as const

export const labRequestObjects = {
  require_signed_request_object: required,
  strict_request_objects: strict,
  request_uri_hosts: z
    .array(
      z.string().regex(/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/, {
        error: 'write a host in lower case, with its port where it is not 443, such as localhost:9443',
      }),
    )
    .optional()
    .describe('Hosts that the server fetches request objects of clients from; default none'),
} as const
