import { type FieldProblem, invalid } from './api-error.js'
import { type ApiRequest, userAgent } from './api-request.js'
import { quote } from './go/quote.js'

/** The options in the query of a creating request (meta/v1 CreateOptions). */
export interface CreateOptions {
  readonly dryRun: boolean
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** The manager that managedFields names. */
  readonly manager: string
}

const MAX_MANAGER = 128

const VALIDATION = ['Ignore', 'Strict', 'Warn']

const notSupported = (field: string, shown: string, allowed: readonly string[]): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown}: supported values: ${allowed.map(quote).join(', ')}`,
})

function managerProblem(manager: string): FieldProblem[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER) {
    const message = `Too long: may not be more than ${MAX_MANAGER} bytes`
    return [{ reason: 'FieldValueTooLong', field: 'fieldManager', message }]
  }
  const at = manager.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (at < 0) return []
  const code = manager.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')
  const message = `Invalid value: ${quote(manager)}: invalid character U+${code} (at position ${Buffer.byteLength(manager.slice(0, at))})`
  return [{ reason: 'FieldValueInvalid', field: 'fieldManager', message }]
}

/**
 * Reads the query of a creating request. Unknown parameters are ignored.
 * @throws ApiError 422
 */
export function readCreateOptions(request: ApiRequest): CreateOptions {
  const { query } = request
  const dryRun = query.getAll('dryRun').filter(each => each !== '')
  const fieldValidation = query.get('fieldValidation') || 'Warn'
  const manager = query.get('fieldManager') ?? ''
  const problems = managerProblem(manager)
  if (dryRun.some(each => each !== 'All')) {
    problems.push(notSupported('dryRun', `[]string{${dryRun.map(quote).join(', ')}}`, ['All']))
  }
  if (!VALIDATION.includes(fieldValidation)) {
    problems.push(notSupported('fieldValidation', quote(fieldValidation), ['', ...VALIDATION]))
  }
  if (problems.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'CreateOptions' }, '', problems)
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation as CreateOptions['fieldValidation'],
    manager: manager || (userAgent(request).split('/')[0] ?? '').slice(0, MAX_MANAGER),
  }
}
