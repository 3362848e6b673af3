import { nearest } from '../../protocol/nearest.js'
import { COMMON_MEMBERS, type DetailSchema } from '../../protocol/oauth/authorization-details.js'
import { isPairwise } from '../../protocol/oauth/client-metadata.js'
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { quote } from '../../protocol/values.js'
import { checkClientRules } from '../../servers/authorization-server/client-rules/client-rules.js'
import { domainName } from '../../servers/cloudflare/records/names.js'
import { readRecord } from '../../servers/cloudflare/records/record.js'
import { RecordError } from '../../servers/cloudflare/records/record-types.js'
import type { LabFileProblem } from '../lab-file/lab-file-problems.js'
import type { Path } from '../lab-file/lab-file-source.js'
import type { ClientEntry, LabFile } from './lab-file-schema.js'
import type { ServerEntry } from './servers-schema.js'

/** RFC 9396 §2, §10. @param builtIn names of the types beside those of the file */
function checkDetailTypes(file: LabFile, builtIn: readonly string[], report: Report): void {
  const { authorization_details_types: types = {}, clients = [], resource } = file
  for (const [name, { properties = {}, required = [] }] of Object.entries(types)) {
    const path = ['authorization_details_types', name]
    if (Object.hasOwn(properties, 'type')) {
      report([...path, 'properties', 'type'], 'every detail has its type already (RFC 9396 §2)')
    }
    checkRequired(required, { ...COMMON_MEMBERS, ...properties }, path, report)
    for (const [each, schema] of Object.entries(properties)) {
      checkMember(schema, [...path, 'properties', each], report)
    }
  }
  const known = new Set([...builtIn, ...Object.keys(types)])
  const check = (name: string, path: Path) => {
    if (!known.has(name)) report(path, () => `the type ${quote(name)} ${notOneOf(known, name)}`)
  }
  for (const [i, { authorization_details_types: named = [] }] of clients.entries()) {
    for (const [k, name] of named.entries()) check(name, ['clients', i, 'authorization_details_types', k])
  }
  for (const [i, { authorization_details: name }] of (resource?.routes ?? []).entries()) {
    if (name !== undefined) check(name, ['resource', 'routes', i, 'authorization_details'])
  }
}

/** Words that have no effect on a type would be ignored silently. */
const WORDS_OF: Readonly<Record<string, DetailSchema['type'][]>> = {
  items: ['array'],
  properties: ['object'],
  required: ['object'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
}

function checkMember(schema: DetailSchema, path: Path, report: Report): void {
  const { type, items, properties, required = [] } = schema
  for (const [word, types] of Object.entries(WORDS_OF)) {
    if (!Object.hasOwn(schema, word) || types.includes(type)) continue
    report([...path, word], `${word} is for ${types.join(' and ')}, not for ${type}`)
  }
  if (properties !== undefined) checkRequired(required, properties, path, report)
  if (items !== undefined) checkMember(items, [...path, 'items'], report)
  for (const [name, each] of Object.entries(properties ?? {})) {
    checkMember(each, [...path, 'properties', name], report)
  }
}

function checkRequired(required: readonly string[], members: object, path: Path, report: Report): void {
  for (const [i, name] of required.entries()) {
    if (!Object.hasOwn(members, name)) report([...path, 'required', i], `there is no member ${quote(name)}`)
  }
}

type Report = (path: Path, problem: LabFileProblem['problem']) => void

function checkUnique(values: readonly string[], path: (i: number) => Path, report: Report): void {
  const seen = new Set<string>()
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) report(path(i), `${quote(value)} occurs twice; it must be unique`)
    seen.add(value)
  }
}

function notOneOf(known: ReadonlySet<string>, name: string): string {
  const near = nearest(name, known)
  const hint = near === undefined ? '' : `. Did you mean ${near}?`
  return `is not one of this server; known: ${[...known].join(', ')}${hint}`
}

function checkScopes(
  tokens: readonly string[],
  known: ReadonlySet<string>,
  path: Path,
  report: Report,
): void {
  for (const token of tokens) {
    if (!known.has(token)) report(path, () => `the scope ${quote(token)} ${notOneOf(known, token)}`)
  }
}

function checkClient(client: ClientEntry, path: Path, known: ReadonlySet<string>, report: Report): void {
  for (const field of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    for (const [i, uri] of (client[field] ?? []).entries()) {
      const wrong = redirectUriProblem(uri)
      if (wrong) report([...path, field, i], `${quote(uri)}: ${wrong.problem} (${wrong.rule})`)
    }
  }
  for (const [i, token] of (client.allowed_scopes ?? []).entries()) {
    checkScopes([token], known, [...path, 'allowed_scopes', i], report)
  }
  checkClientRules(client, path, report)
}

/** Records follow the rules of the API. */
function checkZones(zones: NonNullable<NonNullable<LabFile['dns']>['zones']>, report: Report): void {
  for (const field of ['id', 'name'] as const) {
    checkUnique(
      zones.map(each => each[field]),
      i => ['dns', 'zones', i, field],
      report,
    )
  }
  for (const [i, { name, records = [] }] of zones.entries()) {
    const zone = domainName(name)
    if (zone === undefined) report(['dns', 'zones', i, 'name'], `${quote(name)} is no domain name`)
    for (const [k, record] of records.entries()) {
      try {
        readRecord(record, zone ?? name)
      } catch (error) {
        if (!(error instanceof RecordError)) throw error
        report(['dns', 'zones', i, 'records', k], error.message)
      }
    }
  }
}

/** A list of the file replaces the list of clients or users. */
export interface KnownNames {
  readonly scopes: readonly string[]
  readonly detailTypes: readonly string[]
  readonly clients: readonly string[]
  readonly users: readonly string[]
}

/** A resource server would take a client_id in `sub` for a user (RFC 9700 §4.15.1). */
function checkSubjects({ clients, users }: LabFile, known: KnownNames, report: Report): void {
  const rule = 'a token of this client would name that user as its subject (RFC 9700 §4.15.1)'
  const usernames = new Set(users?.map(each => each.username) ?? known.users)
  for (const [i, { client_id: id }] of (clients ?? []).entries()) {
    if (usernames.has(id)) report(['clients', i, 'client_id'], `${quote(id)} is a username too; ${rule}`)
  }
  const others = new Set(clients === undefined ? known.clients : [])
  for (const [i, { username }] of (users ?? []).entries()) {
    if (others.has(username))
      report(['users', i, 'username'], `${quote(username)} is a client_id too; ${rule}`)
  }
}

/** Checks the rules between fields, which a schema cannot express. */
export function checkLabFile(file: LabFile, known: KnownNames): LabFileProblem[] {
  const scopes = new Set([...known.scopes, ...Object.keys(file.scopes ?? {})])
  const problems: LabFileProblem[] = []
  const report: Report = (path, problem) => problems.push({ path, problem })
  const clients = file.clients ?? []
  const users = file.users ?? []
  checkUnique(
    clients.map(each => each.client_id),
    i => ['clients', i, 'client_id'],
    report,
  )
  checkUnique(
    users.map(each => each.username),
    i => ['users', i, 'username'],
    report,
  )
  checkSubjects(file, known, report)
  checkDetailTypes(file, known.detailTypes, report)
  for (const [i, client] of clients.entries()) checkClient(client, ['clients', i], scopes, report)
  checkReferenceSubjects(file, report)
  if (file.registration === 'token' && !file.registration_tokens?.length) {
    report(
      ['registration'],
      'token needs registration_tokens: initial access tokens for clients (RFC 7591 §3)',
    )
  }
  for (const [i, user] of users.entries()) {
    for (const name of Object.keys(user.claim_types ?? {})) {
      if (user.claims !== undefined && Object.hasOwn(user.claims, name)) continue
      report(['users', i, 'claim_types', name], `${quote(user.username)} has no claim ${quote(name)}`)
    }
    if ((user.password === undefined) === (user.password_hash === undefined)) {
      report(['users', i], `${quote(user.username)} needs one of password and password_hash`)
    }
  }
  checkZones(file.dns?.zones ?? [], report)
  for (const field of ['name', 'issuer'] as const) {
    checkUnique(
      (file.demo_client?.issuers ?? []).map(each => each[field]),
      i => ['demo_client', 'issuers', i, field],
      report,
    )
  }
  checkServers(file.servers, report)
  for (const scope of Object.keys(file.scope_claims ?? {})) {
    checkScopes([scope], scopes, ['scope_claims', scope], report)
  }
  if (file.default_scope !== undefined) {
    const tokens = parseScope(file.default_scope) ?? []
    if (tokens.length === 0) report(['default_scope'], 'it is empty')
    checkScopes(tokens, scopes, ['default_scope'], report)
  }
  for (const [i, each] of (file.assertion_issuers ?? []).entries()) {
    if (each.certificate_file === undefined && each.jwks_file === undefined) {
      report(['assertion_issuers', i], 'it needs a certificate_file, a jwks_file or both')
    }
  }
  return problems
}

/** Tokens of the reference name every person by the username. */
function checkReferenceSubjects(
  { profile, clients = [] }: LabFile,
  report: (path: Path, problem: string) => void,
): void {
  if (profile !== 'reference') return
  for (const [i, client] of clients.entries()) {
    if (!isPairwise(client)) continue
    report(
      ['clients', i, 'subject_type'],
      'the profile reference has no pairwise subjects; leave one of both out',
    )
  }
}

function checkServers(
  servers: Readonly<Record<string, ServerEntry>> = {},
  report: (path: Path, problem: string) => void,
): void {
  for (const [name, entry] of Object.entries(servers)) {
    const at = ['servers', name]
    const addresses = Object.keys(entry).some(each => each.endsWith('_endpoint') || /^jwks_/.test(each))
    if (entry.issuer === undefined && entry.metadata_file === undefined && !addresses) {
      report(at, 'it needs an issuer, a metadata_file or endpoints such as token_endpoint')
    }
    if (entry.client_secret !== undefined && entry.client_secret_file !== undefined) {
      report(at, 'client_secret and client_secret_file are two secrets; leave one out')
    }
    if (entry.jwks_uri !== undefined && entry.jwks_file !== undefined) {
      report(at, 'jwks_uri and jwks_file are two places for the keys; leave one out')
    }
    if ((entry.cert_file === undefined) !== (entry.cert_key_file === undefined)) {
      report(at, 'cert_file and cert_key_file belong together')
    }
  }
}
