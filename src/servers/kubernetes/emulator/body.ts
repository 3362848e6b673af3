import { mediaType } from '../../../protocol/http/message.js'
import { parseYaml, YamlTextError } from '../../../protocol/yaml-text.js'
import { decodeAs, type JsonNode, JsonSyntaxError, parseGoJson, quote } from '../encoding/go-json.js'
import { decodeMessage, openEnvelope, ProtobufError } from '../encoding/protobuf.js'
import { messageOf, structOf } from '../encoding/schema.js'
import { badRequest, MEDIA_TYPES, tooLarge, unsupportedMediaType } from './api-error.js'
import type { ApiRequest, CreateOptions } from './api-request.js'
import { apiVersionOf, type GroupVersionKind, groupVersionOf, isRegistered } from './resources.js'
import { MAX_BODY_BYTES } from './settings.js'

/** A decoded body, and what a client that asked for it is warned of. */
interface Body {
  readonly object: unknown
  readonly warnings: readonly string[]
}

type FieldValidation = CreateOptions['fieldValidation']

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
  fieldValidation: FieldValidation,
): Promise<Body> {
  try {
    if (form === 'application/vnd.kubernetes.protobuf') return fromProtobuf(http.body, wanted)
    const json = form === 'application/yaml' ? await yamlToJson(http.body) : http.body
    const { object, strict, kind } = fromJson(json, wanted)
    const problem = strictProblem(strict, fieldValidation)
    if (problem !== undefined) throw new DecodeError(problem, kind)
    return { object, warnings: fieldValidation === 'Warn' ? strict : [] }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { kind, message } = error
    if (kind !== undefined) throw unhandled(kind, wanted, message)
    const unknown = `the object provided is unrecognized (must be of type ${wanted.kind})`
    throw badRequest(`${unknown}: ${message} (${summary(http.body)})`)
  }
}

const strictProblem = (strict: readonly string[], fieldValidation: FieldValidation): string | undefined =>
  strict.length > 0 && fieldValidation === 'Strict'
    ? `strict decoding error: ${strict.join(', ')}`
    : undefined

const unhandled = ({ kind, version }: GroupVersionKind, wanted: GroupVersionKind, problem: string) =>
  badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${wanted.kind}: ${problem}`)

/**
 * Decodes an object that was made by a patch.
 * @throws ApiError 400 for fields of a wrong type, and for unknown fields where the client is strict
 */
export function decodeObject(
  value: unknown,
  wanted: GroupVersionKind,
  fieldValidation: FieldValidation,
): Body {
  const json = parseGoJson(Buffer.from(JSON.stringify(value)))
  const { value: object, error, strict } = decodeAs(structOf(wanted.kind), json)
  const problem = error ?? strictProblem(strict, fieldValidation)
  if (problem !== undefined) throw unhandled(wanted, wanted, problem)
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
    return { object: decodeMessage(messageOf(wanted.kind), envelope.raw), warnings: [] }
  } catch (error) {
    if (error instanceof ProtobufError) throw new DecodeError(error.message, kind)
    throw error
  }
}

function fromJson(body: Uint8Array, wanted: GroupVersionKind) {
  const root = parsed(body)
  const kind = completed(kindOf(root), wanted)
  checkKind(kind, wanted)
  const { value, error, strict } = decodeAs(structOf(wanted.kind), root)
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
  const of = groupVersionOf(apiVersion)
  if (of === undefined) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`)
  return { ...of, kind }
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
    // The Go package of the server's own form of a group.
    const internal = wanted.group === '' ? 'core' : wanted.group.split('.')[0]
    const problem = `converting (${kind.version}.${kind.kind}) to (${internal}.${wanted.kind}): unknown conversion`
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

/** Longest body in YAML, in bytes. YAML costs fifty times the processor time of JSON. */
export const MAX_YAML_BYTES = 256 * 1024

/** Largest number of keys, values and marks in a body in YAML: about 100 ms of the processor. */
export const MAX_YAML_LEXEMES = 40_000
