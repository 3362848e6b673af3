import type { HeaderList } from '../../../protocol/http/message.js'
import type { Status, StatusDetails } from '../shapes.js'
import { quote } from './go/quote.js'

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
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  } as const
  return new ApiError(status, headers)
}

/** The name of a resource or kind with its API group, as in messages: `tokenreviews.authentication.k8s.io`. */
export interface GroupName {
  readonly group: string
  readonly name: string
}

const named = ({ group, name }: GroupName): string => (group === '' ? name : `${name}.${group}`)

const details = ({ group, name: kind }: GroupName, name: string): StatusDetails => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  kind,
})

export const badRequest = (message: string): ApiError => refusal(400, 'BadRequest', message)

export const unauthorized = (): ApiError => refusal(401, 'Unauthorized', 'Unauthorized')

export function notFound(resource: GroupName, name: string): ApiError {
  return refusal(404, 'NotFound', `${named(resource)} ${quote(name)} not found`, details(resource, name))
}

export function alreadyExists(resource: GroupName, name: string): ApiError {
  const message = `${named(resource)} ${quote(name)} already exists`
  return refusal(409, 'AlreadyExists', message, details(resource, name))
}

export function conflict(resource: GroupName, name: string, problem: string): ApiError {
  const message = `Operation cannot be fulfilled on ${named(resource)} ${quote(name)}: ${problem}`
  return refusal(409, 'Conflict', message, details(resource, name))
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

export function invalid(kind: GroupName, name: string, problems: readonly FieldProblem[]): ApiError {
  const all = problems.map(({ field, message }) => `${field}: ${message}`)
  const told = all.length === 1 ? all[0] : `[${all.join(', ')}]`
  const causes = problems.map(({ reason, message, field }) => ({ reason, message, field }))
  return refusal(422, 'Invalid', `${named(kind)} ${quote(name)} is invalid: ${told}`, {
    ...details(kind, name),
    causes,
  })
}

/** The answer to a path without a handler; its text is the same for all. */
export const unknownResource = (): ApiError =>
  refusal(404, 'NotFound', 'the server could not find the requested resource', {})

export const unknownMethod = (allow: readonly string[]): ApiError =>
  new ApiError(
    refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
      .status,
    [['allow', allow.join(', ')]],
  )

/** Media types that objects travel in. */
export const MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const

export const notAcceptable = (): ApiError =>
  refusal(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES.join(', ')}`,
    {},
  )

export const unsupportedMediaType = (): ApiError =>
  refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${MEDIA_TYPES.join(', ')}`,
  )

export const tooLarge = (limit: number): ApiError =>
  refusal(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
