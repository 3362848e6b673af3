import type { HeaderList } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { quote } from '../encoding/go-json.js'
import type { Status, StatusDetails, UserInfo } from '../shapes.js'
import type { Action } from './rbac/authorizer.js'

/** A refused request, with the Status object of its answer. */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    readonly status: Status & { readonly code: number },
    readonly headers: HeaderList = [],
  ) {
    super(status.message)
  }
}

/** Creates a refusal. The answer has no details when `details` is absent. */
export function refusal(
  code: number,
  reason: string,
  message: string,
  details?: StatusDetails,
  headers: HeaderList = [],
): ApiError {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message } as const
  return new ApiError({ ...status, reason, ...(details && { details }), code }, headers)
}

/** The name of a resource or kind with its API group, as in messages: `tokenreviews.authentication.k8s.io`. */
export interface GroupName {
  readonly group: string
  readonly name: string
}

const named = ({ group, name }: GroupName): string => (group === '' ? name : `${name}.${group}`)

const details = ({ group, name: kind }: GroupName, name: string): StatusDetails =>
  defined({ name: name || undefined, group: group || undefined, kind })

/** A refusal that begins with the name of an object. */
const about =
  (code: number, reason: string) =>
  (resource: GroupName, name: string, problem: string): ApiError =>
    refusal(code, reason, `${named(resource)} ${quote(name)} ${problem}`, details(resource, name))

export const badRequest = (message: string): ApiError => refusal(400, 'BadRequest', message)

export const unauthorized = (): ApiError => refusal(401, 'Unauthorized', 'Unauthorized')

export const notFound = (resource: GroupName, name: string): ApiError =>
  about(404, 'NotFound')(resource, name, 'not found')

export const alreadyExists = (resource: GroupName, name: string): ApiError =>
  about(409, 'AlreadyExists')(resource, name, 'already exists')

/** The refusal of an object that its sender may not keep. */
export const forbiddenObject = (resource: GroupName, name: string, problem: string): ApiError =>
  about(403, 'Forbidden')(resource, name, `is forbidden: ${problem}`)

export function conflict(resource: GroupName, name: string, problem: string): ApiError {
  const message = `Operation cannot be fulfilled on ${named(resource)} ${quote(name)}: ${problem}`
  return refusal(409, 'Conflict', message, details(resource, name))
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const safe = (text: string) => text.replace(/[&<>]/g, char => HTML[char]!)

/** The refusal of an action that the user may not perform. */
export function forbidden({ username = '' }: UserInfo, action: Action, reason = ''): ApiError {
  const because = reason === '' ? '' : `: ${reason}`
  const who = `User ${quote(username)} cannot ${action.verb}`
  if ('path' in action) {
    const problem = safe(`${who} path ${quote(action.path)}`)
    return refusal(403, 'Forbidden', `forbidden: ${problem}${because}`, {})
  }
  const { group, namespace, resource, subresource, name } = action
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  const problem = safe(`${who} resource ${quote(what)} in API group ${quote(group)} ${scope}`)
  const subject = named({ group, name: resource })
  const shown = name === '' ? subject : `${subject} ${quote(name)}`
  const message = `${shown} is forbidden: ${problem}${because}`
  return refusal(403, 'Forbidden', message, details({ group, name: resource }, name))
}

/** A value that breaks a rule: the field, and what is wrong with it. */
export interface FieldProblem {
  readonly reason:
    | 'FieldValueForbidden'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueRequired'
    | 'FieldValueTooLong'
  readonly field: string
  readonly message: string
}

// The problems of fields, with the text of Go's package field/errors.

/** @param shown the value as Go prints it */
export const wrongValue = (field: string, shown: string | number, problem: string): FieldProblem => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown}: ${problem}`,
})

export const required = (field: string, hint?: string): FieldProblem => ({
  reason: 'FieldValueRequired',
  field,
  message: hint === undefined ? 'Required value' : `Required value: ${hint}`,
})

export const notAllowed = (field: string, why: string): FieldProblem => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${why}`,
})

export const notSupported = (field: string, shown: string, allowed: readonly string[]): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown}: supported values: ${allowed.map(quote).join(', ')}`,
})

export function invalid(kind: GroupName, name: string, problems: readonly FieldProblem[]): ApiError {
  const all = problems.map(({ field, message }) => `${field}: ${message}`)
  const told = all.length === 1 ? all[0] : `[${all.join(', ')}]`
  const causes = problems.map(({ reason, message, field }) => ({ reason, message, field }))
  return refusal(422, 'Invalid', `${named(kind)} ${quote(name)} is invalid: ${told}`, {
    ...details(kind, name),
    causes,
  })
}

/** The refusal of the options in a query, such as `ListOptions`. */
export const invalidOptions = (kind: string, ...problems: readonly FieldProblem[]): ApiError =>
  invalid({ group: 'meta.k8s.io', name: kind }, '', problems)

/** The answer to a path without a handler; its text is the same for all. */
export const unknownResource = (): ApiError =>
  refusal(404, 'NotFound', 'the server could not find the requested resource', {})

export function unknownMethod(allow: readonly string[]): ApiError {
  const message = 'the server does not allow this method on the requested resource'
  return refusal(405, 'MethodNotAllowed', message, {}, [['allow', allow.join(', ')]])
}

/** Media types that objects travel in. */
export const MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const

export function notAcceptable(): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES.join(', ')}`
  return refusal(406, 'NotAcceptable', message, {})
}

export function unsupportedMediaType(
  types: readonly string[] = MEDIA_TYPES,
  details?: StatusDetails,
): ApiError {
  const problem = 'the body of the request was in an unknown format'
  const message = `${problem} - accepted media types include: ${types.join(', ')}`
  return refusal(415, 'UnsupportedMediaType', message, details)
}

export const tooLarge = (limit: number): ApiError =>
  refusal(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
