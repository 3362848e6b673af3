import type { HttpResponse } from '../../../../protocol/http/message.js'
import { mediaType } from '../../../../protocol/http/message.js'
import { isJsonObject } from '../../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../../protocol/yaml-text.js'
import { objectAnswer } from '../answer.js'
import { type ApiError, badRequest, invalid, notFound, refusal, tooLarge } from '../api-error.js'
import { decodeObject } from '../body.js'
import type { Call, CallHandler, Cluster } from '../call.js'
import { type CreateOptions, readCreateOptions } from '../create-options.js'
import { quote } from '../go/quote.js'
import { apiVersionOf } from '../kinds.js'
import { MAX_BODY_BYTES, MAX_YAML_BYTES, MAX_YAML_LEXEMES } from '../limits.js'
import { mergeApplied, withoutField } from '../patch/apply.js'
import { fieldsOf, isSelf, shownPath } from '../patch/field-sets.js'
import { jsonPatch, PatchError } from '../patch/json-patch.js'
import { mergePatch } from '../patch/merge-patch.js'
import { strategicPatch } from '../patch/strategic-patch.js'
import type { Resource } from '../resources.js'
import type { NewObject, StoredObject } from '../store/model.js'
import { newObject } from './create-object.js'
import { isOwner, ownersAfterApply, ownersOf } from './owners.js'
import { createInstead, keepChanged, managerOf } from './save-object.js'
import { found, placeOf, stored } from './stored.js'
import { settableParts } from './strategy.js'

/** The forms of a patch. */
const FORMS: Readonly<Record<string, (before: unknown, patch: unknown) => unknown>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicPatch,
}

const APPLY = 'application/apply-patch+yaml'

const unsupported = (type: string): ApiError =>
  refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${[...Object.keys(FORMS), APPLY].join(', ')}`,
    type === '' ? undefined : {},
  )

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (error) {
    throw badRequest(`error decoding patch: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** Decodes the patched object as its kind. A value of another type than the field is refused, and so are unknown fields. */
function decoded(call: Call, resource: Resource, patched: unknown, options: CreateOptions): NewObject {
  const { object, warnings } = decodeObject(patched, resource, options.fieldValidation)
  call.warnings.push(...warnings)
  return object as NewObject
}

function checkUnchanged(resource: Resource, before: StoredObject, { metadata }: NewObject): void {
  const { name, namespace } = before.metadata
  const wrong = (field: string, value: string) => {
    const message = `Invalid value: ${quote(value)}: field is immutable`
    throw invalid({ group: resource.group, name: resource.kind }, name, [
      { reason: 'FieldValueInvalid', field, message },
    ])
  }
  if (metadata.name !== name) wrong('metadata.name', metadata.name ?? '')
  if ((metadata.namespace ?? '') !== (namespace ?? '')) wrong('metadata.namespace', metadata.namespace ?? '')
}

function change(
  cluster: Cluster,
  call: Call,
  resource: Resource,
  apply: (before: unknown, patch: unknown) => unknown,
): HttpResponse {
  const { body } = call.request.http
  if (body.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  const options = readCreateOptions(call.request)
  const patch = parsedJson(body)
  const before = found(cluster, call, resource)
  let patched: unknown
  try {
    patched = apply(before, patch)
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    if (error.code === 400) throw badRequest(error.message)
    throw refusal(
      422,
      'Invalid',
      `the server rejected our request due to an error in our request: ${error.message}`,
      {},
    )
  }
  if (!isJsonObject(patched)) throw badRequest('the patched object is not a map')
  if (!isJsonObject(patched.metadata)) throw badRequest('the patched object has no metadata')
  const sent = decoded(call, resource, patched, options)
  checkUnchanged(resource, before, sent)
  const manager = managerOf(cluster, resource, options, 'Update')
  const kept = keepChanged(cluster, call, resource, { before, sent, manager, dryRun: options.dryRun })
  return objectAnswer(call.request, 200, kept)
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
async function applyConfiguration(cluster: Cluster, call: Call, resource: Resource): Promise<HttpResponse> {
  const options = readCreateOptions(call.request)
  const { query } = call.request
  if ((query.get('fieldManager') ?? '') === '') {
    const message = 'Required value: is required for apply patch'
    throw invalid({ group: 'meta.k8s.io', name: 'PatchOptions' }, '', [
      { reason: 'FieldValueRequired', field: 'fieldManager', message },
    ])
  }
  const force = /^(1|t|true)$/i.test(query.get('force') ?? '')
  const configuration = decoded(call, resource, await appliedConfiguration(call), options)
  const { name, namespace } = call.resource
  const sent = configuration.metadata ?? {}
  if (sent.name !== undefined && sent.name !== name) {
    throw badRequest(`the name of the object (${sent.name}) does not match the name on the URL (${name})`)
  }
  if (sent.managedFields?.length) throw badRequest('metadata.managedFields must be nil')
  if (configuration.apiVersion !== apiVersionOf(resource) || configuration.kind !== resource.kind) {
    throw badRequest('an applied configuration names its apiVersion and kind')
  }
  const manager = managerOf(cluster, resource, options, 'Apply')
  const applied = fieldsOf(settableParts(resource, configuration))
  const own = new Set([...applied.keys()].filter(path => !isSelf(path)))
  const before = cluster.store.get(stored(resource), placeOf(resource, namespace), name)
  if (before === undefined) {
    if (resource.subresource !== undefined) throw notFound(resource, name)
    const made = newObject(cluster, resource, configuration, { name, namespace }, options.manager)
    const managedFields = ownersAfterApply([], own, new Set(), fieldsOf(made), manager)
    const object = { ...made, metadata: { ...made.metadata, managedFields } }
    return createInstead(cluster, call, resource, object, options.dryRun)
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
  if (taken.size > 0 && !force) throw conflicts(resource, taken)
  const given = owners.find(each => isOwner(each, manager))?.paths ?? new Set<string>()
  let merged: unknown = before
  for (const path of given) {
    if (own.has(path) || others.some(each => each.paths.has(path))) continue
    merged = withoutField(merged, JSON.parse(path) as string[])
  }
  const result = mergeApplied(merged, configuration) as NewObject
  const kept = keepChanged(
    cluster,
    call,
    resource,
    { before, sent: { ...result, metadata: { ...result.metadata, name } }, manager, dryRun: options.dryRun },
    (_, after) => ownersAfterApply(before.metadata.managedFields, own, new Set(taken.keys()), after, manager),
  )
  return objectAnswer(call.request, 200, kept)
}

/** Returns the handler of PATCH, in the form that the media type names. */
export function patchObject(resource: Resource): CallHandler {
  return (cluster, call) => {
    const type = mediaType(call.request.http)
    if (type === APPLY) return applyConfiguration(cluster, call, resource)
    const apply = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined
    if (apply === undefined) throw unsupported(type)
    return change(cluster, call, resource, apply)
  }
}
