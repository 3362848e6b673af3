import { mediaType } from '../../../protocol/http/message.js'
import { parseYaml, YamlTextError } from '../../../protocol/yaml-text.js'
import { decodeMessage } from '../protobuf/decode-message.js'
import { openEnvelope } from '../protobuf/envelope.js'
import { MESSAGES } from '../protobuf/messages.js'
import { ProtobufError } from '../protobuf/wire.js'
import { badRequest, MEDIA_TYPES, tooLarge, unsupportedMediaType } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import { decodeAs } from './go/decode.js'
import { type JsonNode, JsonSyntaxError, parseGoJson } from './go/json-parser.js'
import { quote } from './go/quote.js'
import { GO_TYPES } from './go/types.js'
import { apiVersionOf, type GroupVersionKind, internalPackage, isRegistered } from './kinds.js'
import { MAX_BODY_BYTES, MAX_YAML_BYTES, MAX_YAML_LEXEMES } from './limits.js'

/** A decoded body, and what a client that asked for it is warned of. */
export interface Body {
  readonly object: unknown
  readonly warnings: readonly string[]
}

/** The way a body is written. */
type Form = (typeof MEDIA_TYPES)[number]

/** A body that cannot be decoded; `kind` once the body named it. */
class DecodeError extends Error {
  override name = 'DecodeError'
  constructor(
    message: string,
    readonly kind?: GroupVersionKind,
  ) {
    super(message)
  }
}

/**
 * How the body is written; JSON where the request does not say.
 * @throws ApiError 415, or 413 for a body that is too long
 */
export function bodyForm({ http }: ApiRequest): Form {
  const type = mediaType(http) || 'application/json'
  const form = MEDIA_TYPES.find(each => each === type)
  if (form === undefined) throw unsupportedMediaType()
  const limit = form === 'application/yaml' ? MAX_YAML_BYTES : MAX_BODY_BYTES
  if (http.body.length > limit) throw tooLarge(limit)
  return form
}

/**
 * Decodes the body of a creating request.
 * @param wanted the kind of the path, which is also the kind of a body that names none
 * @throws ApiError 400 with the text of the real server
 */
export async function decodeBody(
  { http }: ApiRequest,
  form: Form,
  wanted: GroupVersionKind,
  fieldValidation: 'Ignore' | 'Warn' | 'Strict',
): Promise<Body> {
  try {
    if (form === 'application/vnd.kubernetes.protobuf') return fromProtobuf(http.body, wanted)
    const json = form === 'application/yaml' ? await yamlToJson(http.body) : http.body
    const { object, strict, kind } = fromJson(json, wanted)
    if (strict.length === 0 || fieldValidation === 'Ignore') return { object, warnings: [] }
    if (fieldValidation === 'Warn') return { object, warnings: strict }
    throw new DecodeError(`strict decoding error: ${strict.join(', ')}`, kind)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { kind, message } = error
    throw badRequest(
      kind === undefined
        ? `the object provided is unrecognized (must be of type ${wanted.kind}): ${message} (${summary(http.body)})`
        : `${kind.kind} in version ${quote(kind.version)} cannot be handled as a ${wanted.kind}: ${message}`,
    )
  }
}

/**
 * Decodes an object that was made by a patch.
 * @throws ApiError 400 for fields of a wrong type, and for unknown fields where the client is strict
 */
export function decodeObject(
  value: unknown,
  wanted: GroupVersionKind,
  fieldValidation: 'Ignore' | 'Warn' | 'Strict',
): Body {
  const type = GO_TYPES[wanted.kind]!
  const { value: object, error, strict } = decodeAs(type, parseGoJson(Buffer.from(JSON.stringify(value))))
  const refused = (problem: string) =>
    badRequest(
      `${wanted.kind} in version ${quote(wanted.version)} cannot be handled as a ${wanted.kind}: ${problem}`,
    )
  if (error !== undefined) throw refused(error)
  if (strict.length > 0 && fieldValidation === 'Strict') {
    throw refused(`strict decoding error: ${strict.join(', ')}`)
  }
  return { object, warnings: fieldValidation === 'Warn' ? strict : [] }
}

/** The beginning of a body, for the one who sent it. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>'
  const start = Buffer.from(body.subarray(0, 30))
  const shown = start.toString(body[0] === 0x7b ? 'utf8' : 'hex')
  return body.length > 30 ? `${shown} ...` : shown
}

function fromProtobuf(body: Uint8Array, wanted: GroupVersionKind): Body {
  let kind: GroupVersionKind | undefined
  try {
    const envelope = openEnvelope(body)
    kind = completed(parseKind(envelope.kind, envelope.apiVersion), wanted)
    checkKind(kind, wanted)
    const type = MESSAGES[wanted.kind]
    if (type === undefined) throw new DecodeError(`no message of kind ${quote(wanted.kind)} is known`, kind)
    return { object: decodeMessage(type, envelope.raw), warnings: [] }
  } catch (error) {
    if (error instanceof ProtobufError) throw new DecodeError(error.message, kind)
    throw error
  }
}

function fromJson(body: Uint8Array, wanted: GroupVersionKind) {
  const root = parsed(body)
  const kind = completed(kindOf(root), wanted)
  checkKind(kind, wanted)
  const type = GO_TYPES[wanted.kind]
  if (type === undefined) throw new DecodeError(`no type of kind ${quote(wanted.kind)} is known`, kind)
  const { value, error, strict } = decodeAs(type, root)
  if (error !== undefined) throw new DecodeError(error, kind)
  return { object: value, strict, kind }
}

function parsed(body: Uint8Array): JsonNode {
  try {
    return parseGoJson(body)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw unreadKind(error.message)
  }
}

const unreadKind = (problem: string) =>
  new DecodeError(`couldn't get version/kind; json parse error: ${problem}`)

/** The kind that a body names. Go's reader compares these two names without case, and the last one counts. */
function kindOf(root: JsonNode): GroupVersionKind {
  if (root.kind === 'null') return parseKind('', '')
  if (root.kind !== 'object') {
    const type =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
    throw unreadKind(`json: cannot unmarshal ${root.kind} into Go value of type ${type}`)
  }
  const read = (name: string): string => {
    const [, value] = root.members.findLast(([each]) => each.toLowerCase() === name.toLowerCase()) ?? []
    if (value === undefined || value.kind === 'null') return ''
    if (value.kind === 'string') return value.value
    throw unreadKind(`json: cannot unmarshal ${value.kind} into Go struct field .${name} of type string`)
  }
  return parseKind(read('kind'), read('apiVersion'))
}

function parseKind(kind: string, apiVersion: string): GroupVersionKind {
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`)
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion]
  return { group, version, kind }
}

/** Completes the kind of a body by that of the path. */
function completed(said: GroupVersionKind, wanted: GroupVersionKind): GroupVersionKind {
  const kind = said.kind || wanted.kind
  if (said.version !== '') return { ...said, kind }
  if (said.group === '' || said.group === wanted.group) return { ...wanted, kind }
  return { ...said, kind }
}

/** @throws where a body is something else than the path takes */
function checkKind(kind: GroupVersionKind, wanted: GroupVersionKind): void {
  const apiVersion = apiVersionOf(kind)
  if (!isRegistered(kind)) {
    const problem = `no kind ${quote(kind.kind)} is registered for version ${quote(apiVersion)}`
    throw new DecodeError(`${problem} in scheme "pkg/api/legacyscheme/scheme.go:30"`, kind)
  }
  if (kind.kind !== wanted.kind) {
    const internal = `${internalPackage(wanted.group)}.${wanted.kind}`
    const problem = `converting (${kind.version}.${kind.kind}) to (${internal}): unknown conversion`
    throw new DecodeError(problem, kind)
  }
  if (apiVersion !== apiVersionOf(wanted)) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(wanted)})`,
    )
  }
}

async function yamlToJson(body: Uint8Array): Promise<Uint8Array> {
  try {
    const { value } = await parseYaml(Buffer.from(body).toString('utf8'), MAX_YAML_LEXEMES)
    return Buffer.from(JSON.stringify(value ?? null))
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error
    throw new DecodeError(`error converting YAML to JSON: yaml: line ${error.line}: ${error.message}`)
  }
}
