import { type HttpResponse, mediaType } from '../../../../protocol/http/message.js'
import { isJsonObject } from '../../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../../protocol/yaml-text.js'
import { quote } from '../../encoding/go-json.js'
import {
  type ApiError,
  badRequest,
  invalid,
  invalidOptions,
  notFound,
  refusal,
  required,
  tooLarge,
  unsupportedMediaType,
  wrongValue,
} from '../api-error.js'
import { type CreateOptions, isTrue, readCreateOptions } from '../api-request.js'
import { decodeObject, MAX_YAML_BYTES, MAX_YAML_LEXEMES } from '../body.js'
import type { Call } from '../call.js'
import { apiVersionOf, type Resource } from '../resources.js'
import { MAX_BODY_BYTES } from '../settings.js'
import type { NewObject } from '../store/store.js'
import {
  fieldsOf,
  isOwner,
  isSelf,
  managerOf,
  ownersAfterApply,
  ownersOf,
  shownPath,
} from './managed-fields.js'
import { jsonPatch, mergeApplied, mergePatch, PatchError, strategicPatch, withoutField } from './patches.js'
import { settableParts } from './rules.js'
import { found, present } from './stored.js'
import { createInstead, keepChanged, newObject, otherName } from './write-objects.js'

/** The forms of a patch. */
const FORMS: Readonly<Record<string, (before: unknown, patch: unknown) => unknown>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicPatch,
}

const APPLY = 'application/apply-patch+yaml'

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (error) {
    throw badRequest(`error decoding patch: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** Decodes the patched object as its kind. A value of another type than the field is refused, and so are unknown fields. */
function decoded(call: Call, patched: unknown, options: CreateOptions): NewObject {
  const { object, warnings } = decodeObject(patched, call.resource, options.fieldValidation)
  for (const each of warnings) call.warnings.push(each)
  return object as NewObject
}

function change(call: Call, apply: (before: unknown, patch: unknown) => unknown): HttpResponse {
  const { group, kind } = call.resource
  const { body } = call.request.http
  if (body.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  const options = readCreateOptions(call.request)
  const patch = parsedJson(body)
  const before = found(call)
  let patched: unknown
  try {
    patched = apply(before, patch)
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    if (error.code === 400) throw badRequest(error.message)
    const problem = 'the server rejected our request due to an error in our request'
    throw refusal(422, 'Invalid', `${problem}: ${error.message}`, {})
  }
  if (!isJsonObject(patched)) throw badRequest('the patched object is not a map')
  if (!isJsonObject(patched.metadata)) throw badRequest('the patched object has no metadata')
  const sent = decoded(call, patched, options)
  for (const member of ['name', 'namespace'] as const) {
    const value = sent.metadata[member] ?? ''
    if (value === (before.metadata[member] ?? '')) continue
    const problem = wrongValue(`metadata.${member}`, quote(value), 'field is immutable')
    throw invalid({ group, name: kind }, before.metadata.name, [problem])
  }
  return keepChanged(call, before, sent, options.dryRun, managerOf(call, options, 'Update'))
}

async function appliedConfiguration(call: Call): Promise<NewObject> {
  const { body } = call.request.http
  const text = Buffer.from(body).toString('utf8')
  if (body.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  let value: unknown
  try {
    // JSON is YAML too, and is read faster as JSON.
    value = JSON.parse(text)
  } catch {
    if (body.length > MAX_YAML_BYTES) throw tooLarge(MAX_YAML_BYTES)
    try {
      value = (await parseYaml(text, MAX_YAML_LEXEMES)).value
    } catch (error) {
      if (!(error instanceof YamlTextError)) throw error
      throw badRequest(`error decoding YAML: yaml: line ${error.line}: ${error.message}`)
    }
  }
  if (!isJsonObject(value)) throw badRequest('the applied configuration is not a map')
  return value as unknown as NewObject
}

/** The refusal of a configuration that would change fields of other managers. */
function conflicts(resource: Resource, paths: ReadonlyMap<string, string>): ApiError {
  const causes = [...paths].map(([path, manager]) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${quote(manager)}`,
    field: shownPath(path),
  }))
  const [first] = causes
  const list = causes.map(({ field }) => `- ${field}`).join('\n')
  const problem =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${first!.message}: ${first!.field}`
      : `Apply failed with ${causes.length} conflicts: conflicts:\n${list}`
  return refusal(409, 'Conflict', problem, { kind: resource.name, causes })
}

/** Server-side apply: the configuration of one manager is merged, and what the manager no longer has is removed. */
async function applyConfiguration(call: Call): Promise<HttpResponse> {
  const { resource, asked, request } = call
  const options = readCreateOptions(request)
  if (!request.query.get('fieldManager')) {
    throw invalidOptions('PatchOptions', required('fieldManager', 'is required for apply patch'))
  }
  const configuration = decoded(call, await appliedConfiguration(call), options)
  const { name } = asked
  const sent = configuration.metadata ?? {}
  if (sent.name !== undefined && sent.name !== name) throw otherName(call, sent.name)
  if (sent.managedFields?.length) throw badRequest('metadata.managedFields must be nil')
  if (configuration.apiVersion !== apiVersionOf(resource) || configuration.kind !== resource.kind) {
    throw badRequest('an applied configuration names its apiVersion and kind')
  }
  const manager = managerOf(call, options, 'Apply')
  const applied = fieldsOf(settableParts(resource, configuration))
  const own = new Set([...applied.keys()].filter(path => !isSelf(path)))
  const before = present(call)
  if (before === undefined) {
    if (resource.subresource !== undefined) throw notFound(resource, name)
    const made = newObject(call, configuration, options)
    const managedFields = ownersAfterApply([], own, new Set(), fieldsOf(made), manager)
    const object = { ...made, metadata: { ...made.metadata, managedFields } }
    return createInstead(call, object, options.dryRun)
  }
  const live = fieldsOf(before)
  const owners = ownersOf(before.metadata.managedFields)
  const others = owners.filter(each => !isOwner(each, manager))
  const taken = new Map<string, string>()
  for (const path of own) {
    if (live.get(path) === applied.get(path)) continue
    const other = others.find(each => each.paths.has(path))
    if (other !== undefined) taken.set(path, other.entry.manager)
  }
  if (taken.size > 0 && !isTrue(request, 'force')) throw conflicts(resource, taken)
  const given = owners.find(each => isOwner(each, manager))?.paths ?? new Set<string>()
  let merged: unknown = before
  for (const path of given) {
    if (own.has(path) || others.some(each => each.paths.has(path))) continue
    merged = withoutField(merged, JSON.parse(path) as string[])
  }
  const result = mergeApplied(merged, configuration) as NewObject
  const changed = { ...result, metadata: { ...result.metadata, name } }
  return keepChanged(call, before, changed, options.dryRun, manager, (_, after) =>
    ownersAfterApply(before.metadata.managedFields, own, new Set(taken.keys()), after, manager),
  )
}

/** Changes an object (PATCH), in the form that the media type names. */
export function patchObject(call: Call): HttpResponse | Promise<HttpResponse> {
  const type = mediaType(call.request.http)
  if (type === APPLY) return applyConfiguration(call)
  const apply = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined
  if (apply === undefined) {
    throw unsupportedMediaType([...Object.keys(FORMS), APPLY], type === '' ? undefined : {})
  }
  return change(call, apply)
}
