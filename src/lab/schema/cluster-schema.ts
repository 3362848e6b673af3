import { z } from 'zod'
import { DURATION, parseDuration } from '../lab-file/duration.js'

const text = z.string().min(1)
const duration = z.string().regex(DURATION, { error: 'write a duration as 90s, 15m, 1h or 7d' })

// DNS-1123 labels and subdomains.
const objectName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, {
  error: 'a name has lower-case letters, digits, - and .',
})
export const cluster = z.strictObject({
  issuer: text.optional().describe('`iss` of its tokens; default: its own base URL'),
  api_audiences: z.array(text).optional().describe('Audiences of the API server; empty: the issuer'),
  max_token_expiration: duration
    .refine(value => (parseDuration(value) ?? 0) >= 3_600_000, {
      error: 'use at least 1h, as the API server does',
    })
    .optional()
    .describe('Longest life of a requested token; at least 1h'),
  extended_expiration: z
    .boolean()
    .optional()
    .describe('True when tokens of default volumes (3607 s) live for a year'),
  public_discovery: z.boolean().optional().describe('True when everybody may read issuer metadata and keys'),
  anonymous: z
    .boolean()
    .optional()
    .describe('True when requests without credentials are those of system:anonymous'),
  oidc: z
    .array(
      z.strictObject({
        issuer: z
          .string()
          .refine(value => value === 'lab' || /^https:\/\/[^/?#]+[^?#]*$/.test(value), {
            error: 'an issuer is an https address without query and fragment, or lab for this lab',
          })
          .describe('lab: this lab'),
        client_id: text.describe('The audience that tokens must name'),
        username_claim: text.optional().describe('Default sub'),
        username_prefix: text
          .optional()
          .describe('Default: the issuer and #, or nothing before an e-mail address; -: nothing'),
        groups_claim: text.optional().describe('Default: no groups'),
        groups_prefix: text.optional(),
        ca_file: text.optional().describe('PEM, relative to this file; default: the CA of the lab'),
      }),
    )
    .optional()
    .describe('Issuers whose ID tokens the cluster accepts (kube-apiserver, --oidc-issuer-url)'),
  nodes: z.array(objectName).optional().describe('Besides those that pods name'),
  namespaces: z
    .record(
      objectName,
      z.strictObject({
        service_accounts: z.array(objectName).optional(),
        pods: z
          .array(
            z.strictObject({ name: objectName, service_account: objectName, node: objectName.optional() }),
          )
          .optional(),
        secrets: z.array(objectName).optional(),
      }),
    )
    .optional()
    .describe('Added to the built-in ones; lists replace those of a built-in namespace'),
  tokens: z
    .array(
      z.strictObject({
        token: z
          .string()
          .regex(/^[\x21-\x7e]+$/, { error: 'a bearer token is printable ASCII without spaces' }),
        username: text,
        uid: text.optional(),
        groups: z.array(text).optional().describe('system:masters may do everything'),
      }),
    )
    .optional(),
})
