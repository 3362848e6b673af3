import { z } from 'zod'
import { parseDuration } from '../lab-file/duration.js'
import { duration, flag, list, optionalText, text } from './members.js'

// DNS-1123 labels and subdomains.
const objectName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, {
  error: 'a name has lower-case letters, digits, - and .',
})
export const cluster = z.strictObject({
  issuer: optionalText('`iss` of its tokens; default: its own base URL'),
  api_audiences: list(text, 'Audiences of the API server; empty: the issuer'),
  max_token_expiration: duration
    .refine(value => (parseDuration(value) ?? 0) >= 3_600_000, {
      error: 'use at least 1h, as the API server does',
    })
    .optional()
    .describe('Longest life of a requested token; at least 1h'),
  extended_expiration: flag('True when tokens of default volumes (3607 s) live for a year'),
  public_discovery: flag('True when everybody may read issuer metadata and keys'),
  anonymous: flag('True when requests without credentials are those of system:anonymous'),
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
        username_claim: optionalText('Default sub'),
        username_prefix: optionalText(
          'Default: the issuer and #, or nothing before an e-mail address; -: nothing',
        ),
        groups_claim: optionalText('Default: no groups'),
        groups_prefix: text.optional(),
        ca_file: optionalText('PEM, relative to this file; default: the CA of the lab'),
      }),
    )
    .optional()
    .describe('Issuers whose ID tokens the cluster accepts (kube-apiserver, --oidc-issuer-url)'),
  nodes: list(objectName, 'Besides those that pods name'),
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
        admins: list(text, 'Users who may do everything in it (ClusterRole admin)'),
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
        groups: list(text, 'system:masters may do everything'),
      }),
    )
    .optional(),
})
